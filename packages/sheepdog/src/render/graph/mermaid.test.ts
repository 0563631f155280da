import type { EdgeCondition } from "@sheepdog/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { graphNode } from "../../../test/director-run.ts";
import { mermaidText } from "./mermaid.ts";
import type { NodeState, PlanGraphNode } from "./plan-graph.ts";

const states: readonly NodeState[] = [
  "succeeded",
  "failed",
  "skipped",
  "blocked",
  "running",
  "interrupted",
  "not_started",
];

function node(id: string, title: string, more: Partial<PlanGraphNode> = {}): PlanGraphNode {
  return { ...graphNode(id, title), stage: 1, state: "not_started", isKept: false, ...more };
}

/** A quoted text: no quote, bracket, backtick, percent sign, colon or line break, and `#` only in entities. */
const label = String.raw`"(?:[^"\[\]{}<>|\x60%:;#&$~^*@\\\x00-\x1f\x7f]|<br>|#\d+;)*"`;
const lineForms = [
  /^flowchart TD$/,
  new RegExp(`^ {2}n\\d+\\[${label}\\]$`, "u"),
  new RegExp(`^ {2}n\\d+ -->(?:\\|${label}\\|)? n\\d+$`, "u"),
  /^ {2}classDef [a-z_]+ [a-z-]+:[#0-9a-f ]+(?:,[a-z-]+:[#0-9a-f ]+)*$/,
  /^ {2}class n\d+(?:,n\d+)* [a-z_]+$/,
];

/** Lines that are no Mermaid flowchart, and names that are used without being defined. */
function problemsIn(chart: string): readonly string[] {
  const lines = chart.split("\n");
  const defined = new Set(lines.flatMap((line) => /^ {2}(n\d+)\[/.exec(line)?.[1] ?? []));
  const classes = new Set(lines.flatMap((line) => /^ {2}classDef (\w+)/.exec(line)?.[1] ?? []));
  return lines.filter((line, index) => {
    if ((index === 0) !== /^flowchart/.test(line) || !lineForms.some((form) => form.test(line))) return true;
    const unquoted = line.replaceAll(/"[^"]*"/g, "");
    const names = /^ {2}n\d+ -->|^ {2}class /.test(unquoted) ? (unquoted.match(/\bn\d+\b/g) ?? []) : [];
    const className = /^ {2}class \S+ (\w+)$/.exec(line)?.[1];
    return names.some((name) => !defined.has(name)) || (className !== undefined && !classes.has(className));
  });
}

/** The first label as Mermaid shows it. */
function firstLabel(chart: string): string | undefined {
  return /\["(.*)"\]/.exec(chart)?.[1]?.replaceAll(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

test("a plan is a flowchart with states as classes and conditions as labels", () => {
  const nodes = [
    node("a", "Fetch.", { state: "succeeded", isKept: true, costNanoUsd: 2e8, startedAt: 0, endedAt: 3_000 }),
    node("end", 'Say "done" [now].', { state: "failed", costNanoUsd: null }),
    node("c", "", {}),
  ];
  const edges = [
    { from: "a", to: "end" },
    { from: "end", to: "c", when: { output: "verdict", equals: "ok" } },
    { from: "a", to: "unknown" },
  ];
  const chart = mermaidText({ cycle: 0, nodes, edges });
  expect(chart.split("\n")).toEqual([
    "flowchart TD",
    '  n0["a#58; Fetch.<br>kept, #36;0.200, 3.0 s"]',
    '  n1["end#58; Say #34;done#34; #91;now#93;.<br>failed, ?"]',
    '  n2["c#58;<br>not started"]',
    "  n0 --> n1",
    '  n1 -->|"when verdict = #34;ok#34;"| n2',
    "  classDef kept fill:#e8f0e8,stroke:#2e7d32,color:#000,stroke-dasharray:4 3",
    "  classDef failed fill:#f9d6d5,stroke:#b71c1c,color:#000",
    "  classDef not_started fill:#ffffff,stroke:#9e9e9e,color:#616161",
    "  class n0 kept",
    "  class n1 failed",
    "  class n2 not_started",
  ]);
  expect(problemsIn(chart)).toEqual([]);
  expect(firstLabel(mermaidText({ cycle: 0, nodes: nodes.slice(1), edges: [] }))).toContain('end: Say "done" [now].');
});

test("the checker finds charts that are not valid", () => {
  for (const bad of [
    '  n0["a"b"]',
    "  end --> n0",
    '  n0["a`b"]',
    "  n0 --> n9",
    '  n0["x"]:::y',
    "  class n0 none",
    "",
  ])
    expect(problemsIn(`flowchart TD\n  n0["a"]\n${bad}`)).toEqual([bad]);
});

test("any ids, titles and conditions give a valid flowchart", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 220 }),
    fc.string({
      unit: fc.constantFrom(..."\"'`[](){}<>|#;:%&\\\n\r\t$~-=ox end subgraph click style #34; ﬂ°°¶ß 羊 🐑"),
      maxLength: 40,
    }),
    fc.constantFrom(
      "end",
      "%%{init: {}}%%",
      "<script>alert(1)</script>",
      "#quot;",
      '"]',
      "`x`",
      "\ud800",
      "x".repeat(200),
    ),
  );
  const when: fc.Arbitrary<EdgeCondition | undefined> = fc.oneof(
    fc.constantFrom(undefined, "success" as const, "failure" as const, "always" as const),
    fc.record({ output: text, equals: text }),
    fc.record({ output: text, notEquals: text }),
    fc.record({ output: text, contains: text }),
  );
  const nodes = fc.uniqueArray(
    fc.record({ id: text, title: text, state: fc.constantFrom(...states), isKept: fc.boolean() }),
    { minLength: 1, maxLength: 20, selector: ({ id }) => id },
  );
  const property = fc.property(nodes, fc.array(fc.tuple(fc.nat(19), fc.nat(19), when)), (specs, links) => {
    const shown = specs.map(({ id, title, ...more }) => node(id, title, more));
    const edges = links.map(([from, to, condition]) => ({
      from: shown[from]?.id ?? "unknown to the plan",
      to: shown[to]?.id ?? "unknown to the plan",
      ...(condition === undefined ? {} : { when: condition }),
    }));
    const chart = mermaidText({ cycle: 0, nodes: shown, edges });
    expect(problemsIn(chart)).toEqual([]);
    expect(chart.match(/^ {2}n\d+\[/gm)).toHaveLength(shown.length);
  });
  fc.assert(property, { numRuns: 300 });
});
