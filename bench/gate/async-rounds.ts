import { median } from "../measure/median.ts";
import { type Ratio, type Rounds, ratioOf } from "../measure/rounds.ts";

/** Something that is timed side by side with others on the same commands. */
export interface AsyncContestant {
  readonly name: string;
  run(commands: readonly string[]): Promise<void>;
}

interface AsyncRoundsOptions {
  readonly contestants: readonly AsyncContestant[];
  readonly warmUps: number;
  readonly rounds: number;
  readonly commands: readonly string[];
}

/** Like `runRounds`, for contestants that answer with a promise. */
export async function runAsyncRounds(options: AsyncRoundsOptions): Promise<Rounds> {
  const { contestants, warmUps, rounds, commands } = options;
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const position of contestants.keys()) {
      const contestant = contestants[(position + round) % contestants.length] as AsyncContestant; // in bounds
      const micros = (await cpuMicros(() => contestant.run(commands))) / commands.length;
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
