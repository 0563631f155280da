import type { AgentEvent, AgentEventBody, GraphNode, PlanEdge } from "@sheepdog/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { childIdOf, directorEvents, graphNode } from "../../../test/director-run.ts";
import { terminalControls } from "../../../test/test-home.ts";
import { styleFor } from "../terminal/style.ts";
import { widthOf } from "../terminal/width.ts";
import { marksFor } from "../timeline/marks.ts";
import { graphSections } from "./graph-lines.ts";
import { planGraphs } from "./plan-graph.ts";

const style = styleFor({ write: () => undefined }, {});

/** The drawing of the plans in these events, which are one second apart. */
function drawn(bodies: readonly AgentEventBody[], width = 80, env = {}): readonly string[] {
  const head = { sessionId: "s", runId: "r", severity: "info" } as const;
  const events = bodies.map((body, index): AgentEvent => ({ ...body, ...head, seq: index, at: index * 1_000 }));
  const graphs = planGraphs(events, { runs: new Map(), isLive: true });
  return graphSections(graphs, { style, width, marks: marksFor(env) }).flat();
}

function plan(nodes: readonly GraphNode[], edges: readonly PlanEdge[]): AgentEventBody {
  return { type: "GraphGenerated", cycle: 0, nodes, edges, kept: [] };
}

test("the last plan is drawn in full, and an earlier one with what failed and why", () => {
  expect(drawn(directorEvents)).toEqual([
    "plan 1 · 7 nodes · 4 succeeded, 1 failed, 1 not started, 1 blocked",
    "  test failed: The tests do not pass: 3 of 40 fail.",
    "  diagnosis: One run repaired two parts at once and ran out of turns; each part",
    "  needs a run of its own.",
    "plan 2 · 7 nodes · 4 kept, 1 succeeded, 1 running, 1 not started",
    "STAGE  NODE          STATE            COST   TIME  SESSION       TASK",
    "1      fetch         ✓ kept         $0.100  1.0 s  ses_66657463  Fetch the issu…",
    "2      parser        ✓ kept         $0.200  4.0 s  ses_70617273  Write the pars…",
    "         ← fetch",
    "       printer       ✓ kept         $0.100  2.0 s  ses_7072696e  Write the prin…",
    "         ← fetch",
    "       docs          ✓ kept         $0.100  3.0 s  ses_646f6373  Write the page…",
    "         ← fetch",
    "3      test-parser   ✓ succeeded    $0.100  2.0 s  ses_74657374  Repair the par…",
    "         ← parser",
    "       test-printer    running                     ses_74657374  Repair the pri…",
    "         ← printer",
    "4      publish         not started                               Publish the pa…",
    '         ← test-parser (when verdict = "ok"), test-printer (when verdict !=',
    '           "broken"), docs (in any case)',
  ]);
});

test("a failed node has its problem below it, a skipped and a blocked one the reason", () => {
  const nodes = ["a", "b", "c"].map((id) => graphNode(id, ""));
  const ends: AgentEventBody[] = [
    {
      type: "NodeComplete",
      nodeId: "a",
      status: "failed",
      childId: childIdOf("a"),
      costNanoUsd: null,
      problem: "No\nrule.",
    },
    { type: "NodeComplete", nodeId: "b", status: "skipped", problem: "No edge to it was taken." },
    { type: "NodeComplete", nodeId: "c", status: "blocked" },
  ];
  const edges: PlanEdge[] = [
    { from: "a", to: "b", when: { output: "a", contains: "x" } },
    { from: "a", to: "c", when: "failure" },
  ];
  expect(drawn([plan(nodes, edges), ...ends], 60).map((line) => line.trimEnd())).toEqual([
    "plan 1 · 3 nodes · 1 failed, 1 skipped, 1 blocked",
    "STAGE  NODE  STATE      COST  TIME  SESSION",
    "1      a     ✗ failed      ?        ses_61000000",
    "         No rule.",
    "2      b       skipped",
    '         ← a (when a contains "x")',
    "         No edge to it was taken.",
    "       c       blocked",
    "         ← a (on failure)",
  ]);
});

test("a narrow terminal gets a list", () => {
  expect(drawn(directorEvents, 30).slice(9)).toEqual([
    "plan 2 · 7 nodes · 4 kept, 1",
    "succeeded, 1 running, 1 not",
    "started",
    "1. fetch: kept, $0.100, 1.0 s",
    "2. parser: kept, $0.200, 4.0 s",
    "  ← fetch",
    "2. printer: kept, $0.100, 2.0",
    "s",
    "  ← fetch",
    "2. docs: kept, $0.100, 3.0 s",
    "  ← fetch",
    "3. test-parser: succeeded,",
    "$0.100, 2.0 s",
    "  ← parser",
    "3. test-printer: running",
    "  ← printer",
    "4. publish: not started",
    "  ← test-parser (when verdict",
    '    = "ok"), test-printer',
    "    (when verdict !=",
    '    "broken"), docs (in any',
    "    case)",
  ]);
});

test("without Unicode, the drawing is ASCII", () => {
  for (const width of [20, 44, 60, 80, 120])
    for (const line of drawn(directorEvents, width, { LC_ALL: "C" })) expect(line).toMatch(/^[\x20-\x7e]*$/);
});

test("any plan of 50 nodes fits the width, shows each node once and in order, and cannot control the terminal", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 220 }),
    fc.constantFrom("end", "a\u001b[2Jb", "羊羊羊羊羊".repeat(9), "\n", ""),
  );
  const node = fc.record({ title: text, value: text, before: fc.array(fc.nat(49), { maxLength: 4 }) });
  const property = fc.property(
    fc.array(node, { minLength: 1, maxLength: 50 }),
    fc.integer({ min: 20, max: 140 }),
    fc.boolean(),
    (specs, width, isAscii) => {
      const nodes = specs.map(({ title }, index) => graphNode(`id-${index}-x`, title));
      const edges = specs.flatMap(({ before, value }, index) =>
        before
          .filter((from) => from < index)
          .map((from) => ({ from: `id-${from}-x`, to: `id-${index}-x`, when: { output: "out", equals: value } })),
      );
      const lines = drawn([plan(nodes, edges)], width, isAscii ? { LC_ALL: "C" } : {});
      for (const line of lines) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(terminalControls);
      }
      const isTable = width >= 44;
      const ids = lines.flatMap(
        (line) => (isTable ? /^[\d ]{5} {2}(id-\d+-x)/ : /^\d+\. (id-\d+-x)/).exec(line)?.[1] ?? [],
      );
      expect(ids.toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      for (const { from, to } of edges) expect(ids.indexOf(from)).toBeLessThan(ids.indexOf(to));
    },
  );
  fc.assert(property, { numRuns: 60 });
});
