import { median, quantile } from "./median.ts";

/** Something that is timed side by side with others on a batch of inputs. */
export interface Contestant<Input> {
  readonly name: string;
  readonly run: (batch: readonly Input[]) => void;
}

/** A measured ratio: the median over rounds, and the quartiles around it. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

/** Microseconds of processor time per input, by contestant. */
export interface Rounds {
  readonly micros: (name: string) => number;
  readonly ratio: (name: string, to: string) => Ratio;
}

export interface RoundsOptions<Input> {
  readonly contestants: readonly Contestant<Input>[];
  readonly warmUps: number;
  readonly rounds: number;
  /** Returns new inputs for a round. It is called outside the measured time. */
  readonly batch: (round: number) => readonly Input[];
}

/**
 * Times contestants in turn on the same inputs. Absolute times on a shared machine are noise, so only the ratio within
 * a round counts. The order rotates from round to round, and young garbage is collected before each contestant.
 */
export function runRounds<Input>({ contestants, warmUps, rounds, batch }: RoundsOptions<Input>): Rounds {
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    const inputs = batch(round + warmUps);
    for (const position of contestants.keys()) {
      const index = (position + round + warmUps) % contestants.length;
      const contestant = contestants[index] as Contestant<Input>; // in bounds by the remainder
      const micros = cpuMicros(() => contestant.run(inputs)) / inputs.length;
      if (round >= 0) times.get(contestant.name)?.push(micros);
    }
  }
  const timesOf = (name: string): readonly number[] => {
    const contestantTimes = times.get(name);
    if (contestantTimes === undefined) throw new Error(`Expected a contestant of this benchmark; got ${name}.`);
    return contestantTimes;
  };
  return { micros: (name) => median(timesOf(name)), ratio: (name, to) => ratioOf(timesOf(name), timesOf(to)) };
}

/** The ratio of two series, entry by entry. */
export function ratioOf(values: readonly number[], divisors: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (divisors[round] ?? Number.NaN));
  return { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), rounds: ratios.length };
}

/** A ratio that is the same in every round, such as a count. */
export function exactRatio(value: number): Ratio {
  return { median: value, low: value, high: value, rounds: 1 };
}

/** Microseconds of processor time of an action, in all threads of this process. */
export function cpuMicros(action: () => void): number {
  globalThis.gc?.({ type: "minor" });
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
