import { runRounds } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { floor } from "./floor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { guarded } from "./guarded.ts";
import { inputsOf } from "./input.ts";
import { sha256 } from "./sha256.ts";

/** Kilobytes of arguments, calls a round, and the most the guardian may cost in floors; results are ten times as large. */
const sizes = [
  { argsKb: 1, calls: 240, rounds: 60, goal: 4 },
  { argsKb: 10, calls: 40, rounds: 60, goal: 4 },
  { argsKb: 100, calls: 8, rounds: 40, goal: 2 },
] as const;

/** What one call costs: the guardian with SHA-256 and with its own digest, and a peer, against the floor. */
export async function costRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await costAt(size)));
  return rows;
}

async function costAt({ argsKb, calls, rounds, goal }: (typeof sizes)[number]): Promise<readonly Row[]> {
  const peer = await geminiCli();
  const contestants = [
    floor(),
    guarded("guardian", { digest: sha256, results: "seen" }),
    guarded("plain digest", { results: "seen" }),
    guarded("calls only", { digest: sha256, results: "ignored" }),
    ...(peer === undefined ? [] : [peer]),
  ];
  const inputs = inputsOf(argsKb * 1_000, argsKb * 10_000, argsKb);
  const taken = runRounds({ contestants, warmUps: 12, rounds, batch: () => inputs(calls) });
  const at = `${argsKb} + ${argsKb * 10} KB`;
  const own = [
    row(`guardian, SHA-256, ${at}`, "floor", taken.ratio("guardian", "floor"), goal),
    row(`guardian, plain digest, ${at}`, "floor", taken.ratio("plain digest", "floor")),
  ];
  const why = "not installed";
  if (peer === undefined)
    return [...own, missing(`guardian, ${at}`, "gemini-cli", why), missing(`gemini-cli, ${at}`, "floor", why)];
  return [
    ...own,
    row(`guardian, ${at}`, "gemini-cli", taken.ratio("guardian", "gemini-cli")),
    row(`guardian, calls without results, ${at}`, "gemini-cli", taken.ratio("calls only", "gemini-cli")),
    row(`gemini-cli, ${at}`, "floor", taken.ratio("gemini-cli", "floor")),
  ];
}
