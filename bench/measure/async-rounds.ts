import { median } from "./median.ts";
import { type Ratio, type Rounds, ratioOf } from "./rounds.ts";

/** Something that is timed side by side with others on the same inputs. */
export interface AsyncContestant<Input = string> {
  readonly name: string;
  run(inputs: readonly Input[]): Promise<void>;
}

interface AsyncRoundsOptions<Input> {
  readonly contestants: readonly AsyncContestant<Input>[];
  readonly warmUps: number;
  readonly rounds: number;
  readonly inputs: readonly Input[];
}

/** Like `runRounds`, for contestants that answer with a promise. */
export async function runAsyncRounds<Input>(options: AsyncRoundsOptions<Input>): Promise<Rounds> {
  const { contestants, warmUps, rounds, inputs } = options;
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const position of contestants.keys()) {
      const contestant = contestants[(position + round) % contestants.length] as AsyncContestant<Input>; // in bounds
      const micros = (await cpuMicros(() => contestant.run(inputs))) / inputs.length;
      if (round >= warmUps) times.get(contestant.name)?.push(micros);
    }
  }
  const timesOf = (name: string): readonly number[] => times.get(name) ?? [];
  return {
    micros: (name) => median(timesOf(name)),
    ratio: (name, to): Ratio => ratioOf(timesOf(name), timesOf(to)),
  };
}

async function cpuMicros(action: () => Promise<void>): Promise<number> {
  globalThis.gc?.({ type: "minor" });
  const start = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
