import { expect, test } from "vitest";
import type { Plan, PlanEdge, PlanNode } from "../protocol/plan.ts";
import { readPlan } from "./plan-input.ts";
import { type PlanScope, planProblems } from "./plan-problems.ts";

const node = (id: string, more: Partial<PlanNode> = {}): PlanNode => ({ id, prompt: `Do ${id}.`, ...more });
const edge = (from: string, to: string, when?: PlanEdge["when"]): PlanEdge => ({
  from,
  to,
  ...(when === undefined ? {} : { when }),
});
const scope: PlanScope = { maxNodes: 50, tools: ["read", "write"], models: ["small"], done: new Map() };
const problems = (nodes: readonly PlanNode[], edges: readonly PlanEdge[] = [], more: Partial<PlanScope> = {}) =>
  planProblems({ nodes, edges }, { ...scope, ...more });

test("a plan with parallel nodes, conditions and inputs has no problem", () => {
  const nodes = [node("a", { outputs: ["x", "y"] }), node("b", { inputs: ["x"], tools: ["read"] }), node("c")];
  expect(problems(nodes, [edge("a", "b"), edge("a", "c", { output: "y", equals: "yes" })])).toEqual([]);
});

test.each<[string, readonly PlanNode[], readonly PlanEdge[], string]>([
  ["a cycle", [node("a"), node("b")], [edge("a", "b"), edge("b", "a")], "wait for each other: a → b → a."],
  ["an edge to itself", [node("a")], [edge("a", "a")], "The node a has an edge to itself."],
  ["an unknown node", [node("a")], [edge("a", "b")], "The edge a → b names b, which is no node of the plan."],
  ["an id twice", [node("a"), node("a", { outputs: ["b"] })], [], "Two nodes have the id a."],
  ["an output twice", [node("a"), node("b", { outputs: ["a"] })], [], "Two outputs have the name a."],
  ["a tool that is not there", [node("a", { tools: ["rm"] })], [], "asks for the tool rm; it may use read, write."],
  ["a model that is not there", [node("a", { model: "big" })], [], "asks for the model big; it may use small."],
  ["an unknown input", [node("a", { inputs: ["z"] })], [], "The node a reads z, which no node writes"],
  ["an input without an edge", [node("a"), node("b", { inputs: ["a"] })], [], "no edge leads from a to b."],
  [
    "a comparison with a foreign output",
    [node("a"), node("b"), node("c")],
    [edge("a", "b"), edge("b", "c", { output: "a", equals: "1" })],
    "The edge b → c compares a, which is no output of b; its outputs are b.",
  ],
])("%s is named", (_, nodes, edges, sentence) => {
  expect(problems(nodes, edges).join("\n")).toContain(sentence);
});

test("nodes that can never start because of a cycle are named", () => {
  const nodes = [node("a"), node("b"), node("c"), node("d"), node("e")];
  expect(problems(nodes, [edge("a", "b"), edge("b", "c"), edge("c", "b"), edge("c", "d"), edge("d", "e")])).toEqual([
    "These nodes wait for each other: b → c → b.",
    "These nodes can never start, as they follow a cycle: d, e.",
  ]);
});

test("a plan of 10,000 nodes is refused with one sentence", () => {
  const nodes = Array.from({ length: 10_000 }, (_, index) => node(`n${index}`));
  expect(problems(nodes)).toEqual(["The plan has 10000 nodes; at most 50 are allowed."]);
  const edges = Array.from({ length: 300 }, () => edge("n0", "n1"));
  expect(problems(nodes.slice(0, 2), edges)).toEqual(["The plan has 300 edges; at most 200 are allowed."]);
});

test("a done node may be left out or repeated, but not changed", () => {
  const done = new Map([["a", node("a")]]);
  const next = node("b", { inputs: ["a"] });
  expect(problems([next], [], { done })).toEqual([]);
  expect(problems([node("a"), next], [edge("a", "b")], { done })).toEqual([]);
  expect(problems([next, node("c")], [edge("c", "a")], { done })).toEqual([]);
  expect(problems([node("a", { prompt: "Do more." }), next], [], { done })).toEqual([
    "The node a is done and is kept: give other work another id.",
  ]);
  expect(problems([node("b", { outputs: ["a"] })], [], { done })).toEqual(["Two outputs have the name a."]);
});

test.each<[unknown, string]>([
  [{}, "nodes: "],
  [{ nodes: [] }, "nodes: "],
  [{ nodes: "many" }, "nodes: "],
  [{ nodes: [{ id: "a b", prompt: "Do it." }] }, "nodes.0.id: 1 to 64 letters, digits, _ or -."],
  [{ nodes: [{ id: "a", prompt: " " }] }, "nodes.0.prompt: "],
  [{ nodes: [{ id: "__proto__", prompt: "Do it." }] }, "nodes.0.id: another name."],
  [{ nodes: [{ id: "a", prompt: "Do it.", goal: { text: "ok", command: "rm x" } }] }, "nodes.0.goal: "],
  [{ nodes: [{ id: "a", prompt: "Do it." }], edges: [{ from: "a", to: "b", when: "sometimes" }] }, "edges.0.when: "],
])("a plan of the wrong form is named: %j", (input, sentence) => {
  expect(readPlan(input)).toEqual({ ok: false, problems: expect.arrayContaining([expect.stringContaining(sentence)]) });
});

test("a plan of the wrong form names at most ten problems", () => {
  const read = readPlan({ nodes: Array.from({ length: 5_000 }, () => ({ id: "" })) });
  expect(read.ok || read.problems).toHaveLength(11);
});

test("a plan is read as it was written", () => {
  const plan: Plan = {
    nodes: [node("a", { outputs: ["x"], goal: { text: "x is right", contains: ["1"] }, maxTurns: 3 }), node("b")],
    edges: [edge("a", "b", { output: "x", contains: "1" })],
  };
  expect(readPlan({ ...plan, diagnosis: " " })).toEqual({ ok: true, plan, diagnosis: undefined });
});
