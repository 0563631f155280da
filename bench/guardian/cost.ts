import { runRounds } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { floor } from "./floor.ts";
import { geminiCliOnCalls } from "./gemini-cli.ts";
import { guardianContestant } from "./guardian-session.ts";
import { inputsOf } from "./input.ts";
import { sha256 } from "./sha256.ts";

/** Kilobytes of arguments, calls a round, and the goal against the floor. Results are ten times as large. */
const sizes = [
  { argsKb: 1, calls: 240, rounds: 60, goal: 4 },
  { argsKb: 10, calls: 40, rounds: 60, goal: 4 },
  { argsKb: 100, calls: 8, rounds: 40, goal: 2 },
] as const;

/** The cost of a call: the guardian with SHA-256 and with its own digest, and a peer, against the floor. */
export async function costRows(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await costAt(size)));
  return rows;
}

async function costAt({ argsKb, calls, rounds, goal }: (typeof sizes)[number]): Promise<readonly Row[]> {
  const peer = await geminiCliOnCalls();
  const contestants = [
    floor(),
    guardianContestant("guardian", { digest: sha256, results: "seen" }),
    guardianContestant("plain digest", { results: "seen" }),
    guardianContestant("calls only", { digest: sha256, results: "ignored" }),
    ...(peer === undefined ? [] : [peer]),
  ];
  const inputs = inputsOf(argsKb * 1_000, argsKb * 10_000, argsKb);
  const times = runRounds({ contestants, warmUps: 12, rounds, batch: () => inputs(calls) });
  const size = `${argsKb} + ${argsKb * 10} KB`;
  const ownRows = [
    row(`guardian, SHA-256, ${size}`, "floor", times.ratio("guardian", "floor"), goal),
    row(`guardian, plain digest, ${size}`, "floor", times.ratio("plain digest", "floor")),
  ];
  if (peer === undefined)
    return [
      ...ownRows,
      missing(`guardian, ${size}`, "gemini-cli", "not installed"),
      missing(`gemini-cli, ${size}`, "floor", "not installed"),
    ];
  return [
    ...ownRows,
    row(`guardian, ${size}`, "gemini-cli", times.ratio("guardian", "gemini-cli")),
    row(`guardian, calls without results, ${size}`, "gemini-cli", times.ratio("calls only", "gemini-cli")),
    row(`gemini-cli, ${size}`, "floor", times.ratio("gemini-cli", "floor")),
  ];
}
