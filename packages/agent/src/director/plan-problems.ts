import type { Plan, PlanNode } from "../protocol/plan.ts";
import { findCycles } from "./graph-cycles.ts";

/** What a plan may use. */
export interface PlanScope {
  readonly maxNodes: number;
  readonly tools: readonly string[];
  readonly models: readonly string[];
  /** Nodes that succeeded under earlier plans. */
  readonly done: ReadonlyMap<string, PlanNode>;
}

/** The names under which a node's outputs are known. */
export function outputNames({ id, outputs = [id] }: PlanNode): readonly string[] {
  return outputs;
}

/** Sentences about everything that keeps a plan from being executed; empty if nothing does. */
export function planProblems(plan: Plan, scope: PlanScope): readonly string[] {
  const { nodes, edges } = plan;
  const maxEdges = scope.maxNodes * 4;
  if (nodes.length > scope.maxNodes)
    return [`The plan has ${nodes.length} nodes; at most ${scope.maxNodes} are allowed.`];
  if (edges.length > maxEdges) return [`The plan has ${edges.length} edges; at most ${maxEdges} are allowed.`];
  const choices = nodes.flatMap((node) => choiceProblems(node, scope));
  return [...nameProblems(plan, scope), ...choices, ...edgeProblems(plan, scope), ...inputProblems(plan, scope)];
}

function nameProblems({ nodes }: Plan, { done }: PlanScope): readonly string[] {
  const ids = duplicates(nodes.map(({ id }) => id)).map((id) => `Two nodes have the id ${id}.`);
  const isKept = ({ id }: PlanNode) => done.has(id);
  const changed = nodes
    .filter((node) => isKept(node) && !isSameNode(node, done.get(node.id)))
    .map(({ id }) => `The node ${id} is done and is kept: give other work another id.`);
  const outputs = [...done.values(), ...nodes.filter((node) => !isKept(node))].flatMap(outputNames);
  return [...ids, ...changed, ...duplicates(outputs).map((name) => `Two outputs have the name ${name}.`)];
}

/** A done node may be repeated as it was; its prompt tells whether it was. */
function isSameNode(node: PlanNode, done: PlanNode | undefined): boolean {
  return done !== undefined && node.prompt === done.prompt && sameList(outputNames(node), outputNames(done));
}

function choiceProblems({ id, tools = [], model }: PlanNode, scope: PlanScope): readonly string[] {
  const unknownTools = tools.filter((tool) => !scope.tools.includes(tool));
  return [
    ...(unknownTools.length === 0
      ? []
      : [`The node ${id} asks for the tool ${unknownTools[0]}; it may use ${listed(scope.tools)}.`]),
    ...(model === undefined || scope.models.includes(model)
      ? []
      : [`The node ${id} asks for the model ${model}; it may use ${listed(scope.models)}.`]),
  ];
}

function edgeProblems({ nodes, edges }: Plan, { done }: PlanScope): readonly string[] {
  const byId = new Map([...done, ...nodes.map((node) => [node.id, node] as const)]);
  const problems = edges.flatMap(({ from, to, when }) => {
    const unknown = [from, to].filter((id) => !byId.has(id));
    if (unknown.length > 0)
      return unknown.map((id) => `The edge ${from} → ${to} names ${id}, which is no node of the plan.`);
    if (from === to) return [`The node ${from} has an edge to itself.`];
    const source = byId.get(from);
    if (typeof when !== "object" || source === undefined || outputNames(source).includes(when.output)) return [];
    return [
      `The edge ${from} → ${to} compares ${when.output}, which is no output of ${from}; ` +
        `its outputs are ${listed(outputNames(source))}.`,
    ];
  });
  if (problems.length > 0) return problems;
  const { cycles, unreachable } = findCycles(
    nodes.map(({ id }) => id),
    edges.filter(({ to }) => !done.has(to)),
  );
  return [
    ...cycles.map((cycle) => `These nodes wait for each other: ${[...cycle, cycle[0]].join(" → ")}.`),
    ...(unreachable.length === 0
      ? []
      : [`These nodes can never start, as they follow a cycle: ${unreachable.join(", ")}.`]),
  ];
}

/** An input has to come from a node that ends before, or that is done. */
function inputProblems({ nodes, edges }: Plan, { done }: PlanScope): readonly string[] {
  const producers = new Map(
    [...done.values(), ...nodes].flatMap((node) => outputNames(node).map((name) => [name, node.id])),
  );
  return nodes.flatMap(({ id, inputs = [] }) => {
    const earlier = ancestors(id, edges);
    return inputs.flatMap((input) => {
      const producer = producers.get(input);
      if (producer === undefined)
        return [`The node ${id} reads ${input}, which no node writes; outputs are ${listed([...producers.keys()])}.`];
      if (done.has(producer) || earlier.has(producer)) return [];
      return [`The node ${id} reads ${input} of ${producer}, and no edge leads from ${producer} to ${id}.`];
    });
  });
}

function ancestors(id: string, edges: Plan["edges"]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [id];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop())
    for (const { from, to } of edges)
      if (to === current && !found.has(from)) {
        found.add(from);
        waiting.push(from);
      }
  return found;
}

function duplicates(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}

const MAX_LISTED = 30;

function listed(values: readonly string[]): string {
  if (values.length === 0) return "none";
  const hidden = values.length - MAX_LISTED;
  return `${values.slice(0, MAX_LISTED).join(", ")}${hidden > 0 ? ` and ${hidden} more` : ""}`;
}
