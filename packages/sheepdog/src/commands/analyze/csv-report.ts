import { write } from "../../io.ts";
import type { LookBackRun } from "../../look-back/look-back-run.ts";
import { callsInCircles } from "../../look-back/subagent-costs.ts";
import { firstStop } from "../../look-back/worst-runs.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { plainSentence } from "../../sentences/say.ts";
import type { Report } from "./report.ts";
import { isoTime } from "./run-document.ts";

type Cell = string | number | null;

/** The columns of `--csv`. New ones are added at the end. */
const columns: Readonly<Record<string, (run: LookBackRun, insideLoops: ReadonlySet<string>) => Cell>> = {
  show_id: ({ id }) => id,
  id: ({ recordedId }) => recordedId,
  agent: ({ source }) => source,
  model: ({ model }) => model,
  project: ({ folder }) => folder,
  started_at: ({ startedAt }) => isoTime(startedAt),
  ended_at: ({ endedAt }) => isoTime(endedAt),
  turns: ({ report }) => report.turns,
  calls: ({ report }) => report.calls,
  cost_usd: ({ report }) => report.costUsd,
  unpriced_tokens: ({ report }) => report.unpricedTokens,
  calls_in_circles: callsInCircles,
  cost_in_circles_usd: ({ report }) =>
    report.stuck === null ? (report.costUsd === null ? null : 0) : report.stuck.costUsd,
  is_inside_loop: ({ id }, insideLoops) => (insideLoops.has(id) ? "yes" : "no"),
  cause: ({ facts }) => facts.stuck?.detector ?? null,
  what_happened: ({ facts }) => (facts.stuck === null ? null : plainSentence(facts.stuck.sentence)),
  would_end_at_call: (run) => {
    const stop = firstStop(run);
    return stop === undefined ? null : stop.call + 1;
  },
  would_save_calls: (run) => firstStop(run)?.remaining.calls ?? null,
  would_save_usd: (run) => firstStop(run)?.remaining.costUsd ?? null,
  outcome: ({ outcome }) => outcome,
  parent: ({ parent }) => parent,
  file: ({ file }) => file,
  line: ({ line }) => line,
};

/** Prints one row per run (RFC 4180), with a head. */
export const csvReport: Report = async ({ runs, insideLoops }, { io }) => {
  await write(io.stdout, csvRow(Object.keys(columns)));
  for (const run of runs)
    await write(io.stdout, csvRow(Object.values(columns).map((cellOf) => cellOf(run, insideLoops))));
};

function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** One line without control characters. A spreadsheet executes a formula, unless an apostrophe comes first. */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = plainText(value);
  const safe = /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
