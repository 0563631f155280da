import { type AsyncContestant, runAsyncRounds } from "../measure/async-rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { thousands } from "../measure/table.ts";
import type { Framework, LoadedFramework } from "./framework.ts";

const turns = 50;
const manyTurns = 1_000;
const mostTurns = 4_000;

/** The rows of a framework, and the microseconds that its guard adds to a call, here and now. */
export interface Measured {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Median of a call with the guard less the median without it; undefined where the two cannot be run here. */
  readonly addedMicros?: number;
  readonly plainMicros?: number;
  /** The guard's functions alone. */
  readonly aloneMicros?: number;
}

/** Measures a framework, without and with its guard in turn. One that cannot be used gets a row that says so. */
export async function measureFramework({ name, load }: Framework): Promise<Measured> {
  const what = `${name}, with the guard`;
  let loaded: LoadedFramework;
  try {
    loaded = await load();
    await loaded.run?.(2, true);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { name, rows: [missing(what, "without", `cannot be used here: ${reason}`)] };
  }
  const alone = loaded.guardAlone === undefined ? undefined : await measureGrowth(name, loaded.guardAlone);
  const run = loaded.run;
  if (run === undefined) return { name, rows: [], ...alone };
  const contestants = [false, true].map(
    (isGuarded): AsyncContestant<number> => ({
      name: String(isGuarded),
      run: async (counts) => {
        for (const count of counts) await run(count, isGuarded);
      },
    }),
  );
  const times = await runAsyncRounds({ contestants, warmUps: 8, rounds: 25, inputs: [turns] });
  const plainMicros = times.micros("false") / turns;
  const addedMicros = times.micros("true") / turns - plainMicros;
  const rows = [row(what, "without", times.ratio("true", "false")), ...(alone?.rows ?? [])];
  return { name, plainMicros, addedMicros, ...alone, rows };
}

/** The guard's functions alone, in runs of different lengths that make the same number of calls together. */
async function measureGrowth(
  name: string,
  guardAlone: (turns: number) => Promise<void>,
): Promise<Pick<Measured, "rows" | "aloneMicros">> {
  const contestant = (turnCount: number): AsyncContestant<number> => ({
    name: String(turnCount),
    run: async () => {
      for (let made = 0; made < mostTurns; made += turnCount) await guardAlone(turnCount);
    },
  });
  const contestants = [turns, manyTurns, mostTurns].map(contestant);
  const times = await runAsyncRounds({ contestants, warmUps: 3, rounds: 9, inputs: [0] });
  const growth = (more: number, fewer: number, goal?: number) =>
    row(
      `${name}, the guard alone, a call of ${thousands(more)} turns`,
      `of ${thousands(fewer)} turns`,
      times.ratio(String(more), String(fewer)),
      goal,
    );
  return {
    rows: [growth(manyTurns, turns, 1.5), growth(mostTurns, manyTurns, 1.1)],
    aloneMicros: times.micros(String(turns)) / mostTurns,
  };
}
