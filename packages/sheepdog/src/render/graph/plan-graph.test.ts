import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { planSize, stagesOf } from "@sheepdog/agent/timeline";
import { expect, test } from "vitest";
import { childIdOf, directorEvents, firstPlan, graphNode, secondPlan } from "../../../test/director-run.ts";
import { type PlanContext, type PlanGraph, planGraphs } from "./plan-graph.ts";

/** Events, one second apart. */
function graphsOf(bodies: readonly AgentEventBody[], context: Partial<PlanContext> = {}): readonly PlanGraph[] {
  const events = bodies.map(
    (body, index): AgentEvent => ({
      ...body,
      seq: index,
      at: index * 1_000,
      sessionId: "s",
      runId: "r",
      severity: "info",
    }),
  );
  return planGraphs(events, { runs: new Map(), isLive: true, ...context });
}

function statesOf(graph: PlanGraph | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (graph?.nodes ?? []).map(({ id, state, isKept }) => [id, isKept ? `${state}, kept` : state]),
  );
}

const nodeOf = (graph: PlanGraph | undefined, id: string) => graph?.nodes.find((node) => node.id === id);

test("nodes have the stage after the last node before them", () => {
  const chain = ["a", "b", "c", "d"].map((id) => graphNode(id));
  const edges = [
    { from: "a", to: "b" },
    { from: "b", to: "c" },
    { from: "a", to: "c" },
    { from: "nobody", to: "d" },
  ];
  expect([...stagesOf(chain, edges)]).toEqual([
    ["a", 1],
    ["d", 1],
    ["b", 2],
    ["c", 3],
  ]);
  const cycle = [
    { from: "b", to: "c" },
    { from: "c", to: "b" },
  ];
  expect(Object.fromEntries(stagesOf(chain, cycle))).toEqual({ a: 1, d: 1, b: 2, c: 2 });
});

test("the size of a plan names its nodes, its stages and the largest stage", () => {
  expect(planSize(firstPlan.nodes, firstPlan.edges)).toBe("7 nodes in 4 stages of up to 3");
  expect(planSize([graphNode("a")], [])).toBe("1 node");
  expect(planSize([graphNode("a"), graphNode("b")], [])).toBe("2 nodes in 1 stage of up to 2");
  expect(planSize([graphNode("a"), graphNode("b")], [{ from: "a", to: "b" }])).toBe(
    "2 nodes in 2 stages, one after the other",
  );
});

test("each plan has the states of its nodes, and the diagnosis that led to the next plan", () => {
  const graphs = graphsOf(directorEvents);
  expect(graphs.map(({ cycle, diagnosis }) => [cycle, diagnosis?.slice(0, 7)])).toEqual([
    [0, "One run"],
    [1, undefined],
  ]);
  expect(statesOf(graphs[0])).toEqual({
    fetch: "succeeded",
    parser: "succeeded",
    printer: "succeeded",
    docs: "succeeded",
    test: "failed",
    rollback: "not_started",
    publish: "blocked",
  });
  expect(statesOf(graphs[1])).toEqual({
    fetch: "succeeded, kept",
    parser: "succeeded, kept",
    printer: "succeeded, kept",
    docs: "succeeded, kept",
    "test-parser": "succeeded",
    "test-printer": "running",
    publish: "not_started",
  });
  expect(nodeOf(graphs[1], "parser")).toMatchObject({ costNanoUsd: 2e8, startedAt: 4_000, endedAt: 8_000 });
});

test("a node that runs when its director is gone is interrupted", () => {
  expect(statesOf(graphsOf(directorEvents, { isLive: false }).at(-1))).toMatchObject({ "test-printer": "interrupted" });
});

test("after a resume, a plan stays one plan, and finished nodes keep their time", () => {
  const resumed: readonly AgentEventBody[] = [
    ...directorEvents,
    { ...secondPlan, isResumed: true },
    {
      type: "NodeComplete",
      nodeId: "test-parser",
      status: "succeeded",
      childId: childIdOf("test-parser"),
      isEarlier: true,
    },
  ];
  const graphs = graphsOf(resumed);
  expect(graphs).toHaveLength(2);
  expect(nodeOf(graphs[1], "test-parser")).toMatchObject({ state: "succeeded", startedAt: 15_000, endedAt: 17_000 });
  expect(nodeOf(graphs[1], "test-printer")?.state).toBe("not_started");
});

test("times and costs that the events lack come from the runs of the nodes", () => {
  const lost: readonly AgentEventBody[] = [
    { ...firstPlan, isResumed: true },
    { type: "NodeComplete", nodeId: "fetch", status: "succeeded", childId: "ses_fetch", isEarlier: true },
    { type: "NodeStarted", nodeId: "parser", childId: "ses_parser", isResumed: true },
  ];
  const runs = new Map([
    ["ses_fetch", { startedAt: 50, endedAt: 80, costNanoUsd: 7 }],
    ["ses_parser", { startedAt: 90, costNanoUsd: null }],
  ]);
  const [graph] = graphsOf(lost, { runs });
  expect(nodeOf(graph, "fetch")).toMatchObject({ state: "succeeded", startedAt: 50, endedAt: 80, costNanoUsd: 7 });
  expect(nodeOf(graph, "parser")).toMatchObject({ state: "running", startedAt: 90, costNanoUsd: null });
});

test("a run without a plan has no graph, and events of unknown nodes change nothing", () => {
  expect(graphsOf([{ type: "NodeStarted", nodeId: "a", childId: "c" }])).toEqual([]);
  const [graph] = graphsOf([firstPlan, { type: "NodeComplete", nodeId: "unknown", status: "failed" }]);
  expect(new Set(Object.values(statesOf(graph)))).toEqual(new Set(["not_started"]));
});
