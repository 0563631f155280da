import type { Policy } from "@sheepdog/guardian";
import { defaultPolicy } from "@sheepdog/guardian/presets";
import { parseRun } from "@sheepdog/records";
import { lookBackRun } from "../src/look-back/analyze-run.ts";
import type { LookBack } from "../src/look-back/look-back.ts";
import type { LookBackRun } from "../src/look-back/look-back-run.ts";

/** The run of a line of trajectory JSONL as a look back keeps it. */
export function lookedAt(line: string, file = "/home/ada/runs.jsonl", policy: Policy = defaultPolicy): LookBackRun {
  const parsed = parseRun(line, "run");
  if (!parsed.ok) throw new Error(parsed.why);
  return lookBackRun(parsed.run, { file, line: 1, sameIds: 0, policy });
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

/** A look back of runs without subagents. */
export function lookBackOf(runs: readonly LookBackRun[]): LookBack {
  const places = [{ agent: "Claude Code", path: "/home/ada/.claude/projects", files: 1, runs: runs.length }];
  const skipped = [{ file: "/home/ada/.claude/projects/a.jsonl", line: 7, why: "is no JSON" }];
  const scan = { places, files: 1, bytes: 2_000_000, cachedFiles: 0, ms: 1, skipped, skippedCount: 1 };
  return { runs, insideLoops: new Set(), scan };
}

/** A run that works for a tenth of its calls, and then fails the same way. */
export function loopingRun(id: string, calls: number): LookBackRun {
  const steps = Array.from({ length: calls }, (_, turn) => ({
    turn,
    text: "",
    at: Date.UTC(2026, 10, 3, 10) + turn * 20_000,
    usage: { inputTokens: 9_000, outputTokens: 300, costUsd: 0.02 },
    calls: [
      turn < calls / 10
        ? { name: "Read", args: { path: `src/part-${turn}.ts` }, result: `part ${turn}`, isError: false }
        : { name: "Bash", args: { command: "pytest -k invoices" }, result: `1 failed in ${turn} ms`, isError: true },
    ],
  }));
  return lookedAt(
    JSON.stringify({ id, source: "claude-code", model: "claude-sonnet-4-5", project: "/home/ada/shop", steps }),
  );
}

/** Runs of a few calls on several days. Each fifth goes in circles. */
export function shortRuns(count: number): readonly LookBackRun[] {
  return Array.from({ length: count }, (_, index) => {
    const steps = Array.from({ length: 6 }, (__, turn) => ({
      turn,
      text: "",
      at: Date.UTC(2026, 10, 1 + (index % 10), index % 24) + turn * 60_000,
      usage: { costUsd: 0.01 },
      calls: [
        index % 5 === 0 && turn > 0
          ? { name: "Bash", args: { command: "npm test" }, result: "FAIL: 3 is not 4", isError: true }
          : {
              name: "Edit",
              args: { path: `src/${index}-${turn}.ts` },
              result: `edited ${index} ${turn}`,
              isError: false,
            },
      ],
    }));
    const project = `/home/ada/${["shop", "api", "docs"][index % 3]}`;
    return lookedAt(JSON.stringify({ id: `run-${index}`, source: "codex", model: "gpt-5", project, steps }));
  });
}

/** A run of which every text tries to be more than text. */
export function hostileRun(): LookBackRun {
  const text = [
    "</script><script>window.owned=1</script><img src=http://127.0.0.1:9/x onerror=window.owned=1>",
    '" onmouseover="window.owned=1" \' </style><style>*{display:none}</style></title><!-- ]]> <plaintext>',
    `\u202egnp.exe \u2066x \u001b[31mred\u001b]0;title\u0007 \ud800 \u0000 ${"W".repeat(5_000)}`,
  ].join(" ");
  const steps = Array.from({ length: 12 }, (_, turn) => ({
    turn,
    text,
    at: Date.UTC(2026, 10, 3, 10) + turn * 1_000,
    usage: { costUsd: 1 },
    calls: [{ name: `x"><svg/onload=window.owned=1>`, args: { command: text }, result: text, isError: true }],
  }));
  return lookedAt(
    JSON.stringify({ id: text, source: text, model: text, project: text, task: text, outcome: text, steps }),
    `/home/ada/${text.slice(0, 300)}`,
  );
}
