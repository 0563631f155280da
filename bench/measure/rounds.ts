import { median, quantile } from "./median.ts";

/** Something that is timed, side by side with others, on a batch of inputs. */
export interface Contestant<Input> {
  readonly name: string;
  readonly run: (batch: readonly Input[]) => void;
}

/** A measured ratio: the median over rounds, and where the middle half of the rounds lies. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

/** The times of all contestants, in microseconds of processor time per input, one entry a round. */
export interface Rounds {
  readonly micros: (name: string) => number;
  readonly ratio: (name: string, to: string) => Ratio;
}

export interface RoundsOptions<Input> {
  readonly contestants: readonly Contestant<Input>[];
  readonly warmUps: number;
  readonly rounds: number;
  /** Fresh inputs for a round; made outside the time taken. */
  readonly batch: (round: number) => readonly Input[];
}

/**
 * Times contestants in turn on the same inputs. Absolute times on a shared machine are noise, so what counts is the ratio within one round;
 * the order rotates from round to round, and each contestant starts with the young garbage of the one before swept away.
 */
export function runRounds<Input>({ contestants, warmUps, rounds, batch }: RoundsOptions<Input>): Rounds {
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    const inputs = batch(round + warmUps);
    for (let i = 0; i < contestants.length; i++) {
      const contestant = contestants[(i + round + warmUps) % contestants.length] as Contestant<Input>; // in bounds by the remainder
      const micros = cpuMicros(() => contestant.run(inputs)) / inputs.length;
      if (round >= 0) times.get(contestant.name)?.push(micros);
    }
  }
  const of = (name: string): readonly number[] => {
    const taken = times.get(name);
    if (taken === undefined) throw new Error(`Expected a contestant of this benchmark; got ${name}.`);
    return taken;
  };
  return { micros: (name) => median(of(name)), ratio: (name, to) => ratioOf(of(name), of(to)) };
}

/** The ratio of two series, entry by entry. */
export function ratioOf(taken: readonly number[], to: readonly number[]): Ratio {
  const ratios = taken.map((micros, round) => micros / (to[round] ?? Number.NaN));
  return { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), rounds: ratios.length };
}

/** Processor time of an action, all threads of this process, in microseconds: waiting for a busy machine does not count. */
export function cpuMicros(action: () => void): number {
  sweep();
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function sweep(): void {
  globalThis.gc?.({ type: "minor" });
}
