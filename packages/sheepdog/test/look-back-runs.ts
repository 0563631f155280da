import { defaultPolicy } from "@sheepdog/guardian/presets";
import { parseRun } from "@sheepdog/records";
import { lookBackRun } from "../src/look-back/analyze-run.ts";
import type { LookBackRun } from "../src/look-back/look-back-run.ts";

/** The run of a line of trajectory JSONL as a look back keeps it. */
export function lookedAt(line: string, file = "/home/ada/runs.jsonl"): LookBackRun {
  const parsed = parseRun(line, "run");
  if (!parsed.ok) throw new Error(parsed.why);
  return lookBackRun(parsed.run, { file, line: 1, sameIds: 0, policy: defaultPolicy });
}

/** The line of a run of a subagent, whose steps cost a dollar each. */
export function childLine(id: string, parent: string, steps = 2): string {
  return `${JSON.stringify({
    id,
    parent,
    source: "test",
    model: "m",
    steps: Array.from({ length: steps }, (_, turn) => ({
      turn,
      text: `Found thing number ${turn} of ${id}.`,
      usage: { costUsd: 1 },
      calls: [],
    })),
  })}\n`;
}

/** The line of a run that starts subagents: the same failing task for each of these ids, at ten cents. */
export function parentLine(id: string, children: readonly string[]): string {
  return `${JSON.stringify({
    id,
    source: "test",
    model: "m",
    project: "/home/ada/shop",
    steps: children.map((child, turn) => ({
      turn,
      text: "",
      at: Date.UTC(2026, 10, 3, 10) + turn * 60_000,
      usage: { inputTokens: 100, costUsd: 0.1 },
      calls: [{ name: "Task", args: { prompt: "Find it." }, result: "Nothing was found.", isError: true, child }],
    })),
  })}\n`;
}
