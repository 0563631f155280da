import type { Emit } from "../protocol/events.ts";
import type { Plan, PlanNode } from "../protocol/plan.ts";
import type { Reason } from "../protocol/result.ts";
import { holds, missingOutputs, readOutputs } from "./node-outputs.ts";
import type { NodeInput } from "./node-prompt.ts";
import { type EndedNode, isHandled, nodeStep } from "./plan-order.ts";
import { outputNames } from "./plan-problems.ts";

/** How the run of a node ended. */
export interface NodeRun {
  readonly isOk: boolean;
  /** The answer, or why there is none. */
  readonly text: string;
  readonly reason?: Reason;
  /** The session of the run; absent if it was not started. */
  readonly childId?: string;
  readonly costNanoUsd?: number | null;
  /** It ended in an earlier process. */
  readonly isEarlier?: true;
}

/** A node of a plan after its end, or after the decision not to run it. */
export interface FinishedNode extends EndedNode {
  readonly node: PlanNode;
  readonly outputs: ReadonlyMap<string, string>;
  /** Why it failed, or did not run; in one line, and with all that its run said about it. */
  readonly problem?: string;
  readonly report?: string;
  readonly childId?: string;
}

export interface PlanOptions {
  /** Nodes that succeeded under earlier plans, by id. */
  readonly done: ReadonlyMap<string, FinishedNode>;
  readonly maxParallel: number;
  readonly emit: Emit;
  /** Runs a node, or continues it after a crash. Does not throw. */
  readonly runNode: (node: PlanNode, inputs: readonly NodeInput[]) => Promise<NodeRun>;
  /** Called after each node. */
  readonly save: () => Promise<void>;
  /** Aborted when no further node may start. */
  readonly signal: AbortSignal;
}

/** The end of a plan. */
export interface PlanEnd {
  readonly isOk: boolean;
  /** All nodes that have ended, those of earlier plans too, by id. */
  readonly finished: ReadonlyMap<string, FinishedNode>;
  /** Ids of nodes that were not reached. */
  readonly unfinished: readonly string[];
}

/** Runs the nodes of a plan in their order, independent ones at the same time. */
export async function executePlan(plan: Plan, options: PlanOptions): Promise<PlanEnd> {
  const { done, maxParallel, emit, runNode, save, signal } = options;
  const finished = new Map(done);
  const pending = new Map(plan.nodes.filter(({ id }) => !done.has(id)).map((node) => [node.id, node]));
  const running = new Map<string, Promise<void>>();

  async function run(node: PlanNode): Promise<void> {
    const ended = await runNode(node, inputsOf(node, finished));
    const end = signal.aborted && !ended.isOk ? interruptedNode(node, ended) : finishedNode(node, ended);
    const { childId, reason, costNanoUsd, isEarlier } = ended;
    finished.set(node.id, end);
    emit({
      type: "NodeComplete",
      nodeId: node.id,
      status: end.status,
      ...defined({ childId, reason, costNanoUsd, isEarlier, problem: end.problem }),
    });
    await save();
    running.delete(node.id); // only now: a plan has ended when everything about it is saved
  }

  /** Ends the nodes that cannot run any more; returns whether there were any. */
  function settle(): boolean {
    const steps = [...pending.values()].map((node) => ({ node, step: nodeStep(node.id, plan, finished) }));
    const notRun = steps.filter(({ step }) => step === "skip" || step === "block");
    for (const { node, step } of notRun) {
      const status = step === "skip" ? "skipped" : "blocked";
      const problem = step === "skip" ? "no edge to it was taken" : "a node before it failed";
      pending.delete(node.id);
      finished.set(node.id, { node, status, outputs: new Map(), problem, compare: () => false });
      emit({ type: "NodeComplete", nodeId: node.id, status, problem });
    }
    return notRun.length > 0;
  }

  function startReady(): void {
    for (const node of [...pending.values()]) {
      if (running.size >= maxParallel || signal.aborted) return;
      if (nodeStep(node.id, plan, finished) !== "run") continue;
      pending.delete(node.id);
      running.set(node.id, run(node));
    }
  }

  for (;;) {
    while (!signal.aborted && settle());
    startReady();
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  const ofPlan = plan.nodes.flatMap(({ id }) => finished.get(id) ?? []);
  const hasFailed = ofPlan.some(
    ({ node, status }) =>
      status === "blocked" || status === "interrupted" || (status === "failed" && !isHandled(node.id, plan)),
  );
  return { isOk: !hasFailed && pending.size === 0, finished, unfinished: [...pending.keys()] };
}

/** Characters of an output that later nodes and comparisons read. The whole answer stays in the node's session. */
const MAX_KEPT_CHARS = 256_000;

/** A node whose run has ended. */
export function finishedNode(node: PlanNode, { isOk, text, childId }: NodeRun): FinishedNode {
  const missing = isOk ? missingOutputs(node, text) : [];
  const problem = isOk ? missingProblem(missing) : problemLine(text);
  const whole = problem === undefined ? readOutputs(node, text) : new Map<string, string>();
  const outputs = new Map([...whole].map(([name, value]) => [name, value.slice(0, MAX_KEPT_CHARS)]));
  return {
    node,
    status: problem === undefined ? "succeeded" : "failed",
    outputs,
    compare: (condition) => holds(condition, outputs),
    ...defined({ childId, problem, report: isOk ? undefined : text }),
  };
}

function interruptedNode(node: PlanNode, { childId }: NodeRun): FinishedNode {
  return { node, status: "interrupted", outputs: new Map(), compare: () => false, ...defined({ childId }) };
}

/** The judge of the node asks for them as well; another judge may not. */
function missingProblem(missing: readonly string[]): string | undefined {
  return missing.length === 0 ? undefined : `its answer does not have ${missing.join(", ")}`;
}

function problemLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length <= 400 ? line : `${line.slice(0, 399)}…`;
}

function inputsOf({ inputs = [] }: PlanNode, finished: ReadonlyMap<string, FinishedNode>): readonly NodeInput[] {
  return inputs.map((name) => {
    const producer = [...finished.values()].find(({ node }) => outputNames(node).includes(name));
    return { name, producer: producer?.node.id ?? "", text: producer?.outputs.get(name) };
  });
}

/** The fields that have a value. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as typeof fields; // some of the same fields
}
