import { z } from "zod";
import type { Judge } from "../goals/judge.ts";
import type { Emit, GraphNode } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import type { Plan, PlanNode } from "../protocol/plan.ts";
import type { AgentSettings } from "../protocol/settings.ts";
import { defineTool } from "../tools/define-tool.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";
import { earlierPlans, PLAN_TOOL, REJECTED } from "./earlier-plans.ts";
import { executePlan, type FinishedNode, finishedNode, type NodeRun, type PlanEnd } from "./execute-plan.ts";
import { firstLine } from "./node-goal.ts";
import type { NodeInput } from "./node-prompt.ts";
import { planJsonSchema, readPlan } from "./plan-input.ts";
import { outputNames, type PlanScope, planProblems } from "./plan-problems.ts";
import { planReport } from "./plan-report.ts";

/** The runs of nodes. A run is known by the call that planned it and by its node, also after a crash. */
export interface NodeRuns {
  /** The run of a node that has ended, or that was interrupted; undefined if there is none. */
  find(callId: string, node: PlanNode): Promise<NodeRun | "interrupted" | undefined>;
  /** Counts what runs of an interrupted call have used before. Returns whether there are any. */
  restoreUsage(callId: string, nodes: readonly PlanNode[]): Promise<boolean>;
  /** Starts a run, or continues it where a process crashed. Does not throw. */
  run(request: NodeRequest): Promise<NodeRun>;
}

export interface NodeRequest {
  readonly callId: string;
  readonly node: PlanNode;
  readonly inputs: readonly NodeInput[];
  readonly signal: AbortSignal;
}

export interface DirectorOptions {
  readonly settings: Pick<
    AgentSettings,
    "maxParallelNodes" | "maxPlanNodes" | "maxEvolutionCycles" | "maxToolOutputTokens"
  >;
  /** The tools and models that nodes may use. */
  readonly tools: readonly string[];
  readonly models: readonly string[];
  readonly messages: () => readonly Message[];
  /** When this run began, and when the work on its prompt began, perhaps in an earlier run that was stopped. */
  readonly startedAt: number;
  readonly promptedAt: number;
  readonly nodeRuns: NodeRuns;
  readonly emit: Emit;
  /** Saves the events so far. */
  readonly save: () => Promise<void>;
}

/** What makes a run a director: a tool that executes plans, and a judge that ends the run when plans have failed. */
export interface Director {
  readonly tool: Tool;
  judge(base: Judge): Judge;
}

/** A broken plan may be repaired once. */
const MAX_REJECTIONS = 2;
/** Problems of a plan that are named. */
const MAX_PROBLEMS = 10;

/**
 * Creates the director of a run. The model plans by calling a tool, reads in its result what failed, and changes the
 * plan by calling it again: everything else is the loop of every run.
 */
export function createDirector(options: DirectorOptions): Director {
  const { settings, emit, nodeRuns, save } = options;
  const { maxEvolutionCycles, maxToolOutputTokens } = settings;
  /** Nodes that succeeded. */
  const done = new Map<string, FinishedNode>();
  /** Nodes that were interrupted with an earlier run, and the calls that planned them. They can be continued. */
  const interrupted = new Map<string, { readonly prompt: string; readonly callId: string }>();
  let isRestored = false;
  /** Plans of this run that were executed, and those of them that failed. */
  let executed = 0;
  let failures = 0;
  /** Nodes that failed under the last plan, if that failed. */
  let lastFailed: readonly string[] | undefined;
  /** Rejected plans in a row. */
  let rejections = 0;
  /** Why no further plan is accepted. */
  let failure: string | undefined;

  /** Reads what was planned and done before: by this run before a crash, or by an earlier run that was stopped. */
  async function restore(callId: string): Promise<void> {
    isRestored = true;
    const earlier = earlierPlans(options.messages(), callId, options.promptedAt);
    let failedNodes: readonly string[] = [];
    for (const { callId: earlierCall, plan } of earlier) {
      failedNodes = [];
      for (const node of plan?.nodes ?? []) {
        const found = done.has(node.id) ? undefined : await nodeRuns.find(earlierCall, node);
        if (found === "interrupted") interrupted.set(node.id, { prompt: node.prompt, callId: earlierCall });
        else if (found?.isOk === true) done.set(node.id, finishedNode(node, found));
        else if (found !== undefined) failedNodes = [...failedNodes, node.id];
      }
    }
    const ofThisRun = earlier.filter(({ at }) => at >= options.startedAt).map(({ end }) => end);
    executed = ofThisRun.filter((end) => end !== "rejected").length;
    failures = ofThisRun.filter((end) => end === "failed").length;
    rejections = ofThisRun.length - 1 - ofThisRun.findLastIndex((end) => end !== "rejected");
    lastFailed = ofThisRun.findLast((end) => end !== "rejected") === "failed" ? failedNodes : undefined;
  }

  function reject(all: readonly string[]): ToolOutcome {
    const hidden = all.length - MAX_PROBLEMS;
    const problems = hidden > 0 ? [...all.slice(0, MAX_PROBLEMS), `and ${hidden} more problems`] : all;
    rejections += 1;
    emit({ type: "GraphRejected", problems });
    const isLast = rejections >= MAX_REJECTIONS;
    if (isLast) failure = `The plan was broken ${MAX_REJECTIONS} times. The last problem: ${problems[0] ?? ""}`;
    const next = isLast ? "No further plan is accepted." : "Repair it, and call the tool again with the whole plan.";
    return failed([REJECTED, ...problems.map((problem) => `- ${problem}`), next].join("\n"));
  }

  function scope(): PlanScope {
    const nodes = [...done].map(([id, { node }]) => [id, node] as const);
    return { maxNodes: settings.maxPlanNodes, tools: options.tools, models: options.models, done: new Map(nodes) };
  }

  /** Publishes the plan together with the nodes that are kept, so that it can be drawn as a whole. */
  function emitGraph({ nodes, edges }: Plan, { cycle, isResumed }: { cycle: number; isResumed: boolean }): void {
    const kept = [...done.values()].map(({ node }) => node);
    const next = nodes.filter(({ id }) => !done.has(id));
    emit({
      type: "GraphGenerated",
      cycle,
      nodes: [...kept, ...next].map(graphNode),
      edges: [...edges, ...inputEdges(kept, next, edges)],
      kept: kept.map(({ id }) => id),
      ...(isResumed ? { isResumed } : {}),
    });
  }

  /** The result of a plan for the model, and whether another plan may follow. */
  function outcome(plan: Plan, end: PlanEnd, signal: AbortSignal): ToolOutcome {
    const report = planReport(plan, end, maxToolOutputTokens);
    lastFailed = undefined;
    if (end.isOk) return ok(`Every part of the plan that was needed succeeded.\n${report}\n${answerAdvice}`);
    if (signal.aborted)
      return { status: "interrupted", content: `The plan was interrupted.\n${report}\n${interruptedAdvice}` };
    const left = maxEvolutionCycles - failures;
    if (left <= 0) failure ??= failureText(plan, end, failures);
    failures += 1;
    lastFailed = plan.nodes.map(({ id }) => id).filter((id) => end.finished.get(id)?.status === "failed");
    const advice = failure === undefined ? changeAdvice(left) : "No further plan is accepted.";
    return failed(`The plan failed.\n${report}\n${advice}`);
  }

  /** The call under which a node runs: the present one, or the one with which it was interrupted. */
  function plannedBy({ id, prompt }: PlanNode, callId: string): string {
    const earlier = interrupted.get(id);
    interrupted.delete(id);
    return earlier?.prompt === prompt ? earlier.callId : callId;
  }

  async function execute(input: unknown, { callId, signal }: ToolContext): Promise<ToolOutcome> {
    if (!isRestored) await restore(callId);
    if (failure !== undefined) return failed(`${REJECTED} ${failure}`);
    const read = readPlan(input);
    const problems = read.ok ? planProblems(read.plan, scope()) : read.problems;
    if (!read.ok || problems.length > 0) return reject(problems);
    rejections = 0;
    const { plan, diagnosis = "The director gave no diagnosis." } = read;
    const isResumed = await nodeRuns.restoreUsage(callId, plan.nodes);
    if (lastFailed !== undefined)
      emit({
        type: "EvolutionTriggered",
        cycle: failures,
        maxCycles: maxEvolutionCycles,
        diagnosis,
        failed: lastFailed,
      });
    emitGraph(plan, { cycle: executed, isResumed });
    executed += 1;
    await save();
    const end = await executePlan(plan, {
      done,
      maxParallel: settings.maxParallelNodes,
      emit,
      save,
      signal,
      runNode: (node, inputs) => nodeRuns.run({ callId: plannedBy(node, callId), node, inputs, signal }),
    });
    for (const [id, node] of end.finished) if (node.status === "succeeded") done.set(id, node);
    return outcome(plan, end, signal);
  }

  return {
    tool: defineTool({
      name: PLAN_TOOL,
      origin: "builtin",
      description:
        "Executes a plan: a graph of nodes, each of them a run of an agent of its own with a fresh context. Nodes " +
        "without an edge between them run at the same time. Waits for all of them, and reports what each delivered.",
      jsonSchema: planJsonSchema,
      input: z.record(z.string(), z.unknown()), // read by `readPlan`, which counts broken plans
      kind: "unknown",
      isResumable: true,
      endsWhenAborted: true,
      timeoutMs: Number.POSITIVE_INFINITY, // the runs have limits of their own
      touches: () => [PLAN_TOOL], // one plan at a time
      run: execute,
    }),
    judge: (base) => ({
      evaluate: async (judged) =>
        failure === undefined ? base.evaluate(judged) : { type: "escalate", reason: failure },
    }),
  };
}

/** Edges from kept nodes to those that read their outputs, as far as the plan does not have them. */
function inputEdges(kept: readonly PlanNode[], next: readonly PlanNode[], edges: Plan["edges"]): Plan["edges"] {
  return next.flatMap(({ id: to, inputs = [] }) =>
    kept
      .filter((node) => outputNames(node).some((name) => inputs.includes(name)))
      .map(({ id: from }) => ({ from, to }))
      .filter((implied) => !edges.some((edge) => edge.from === implied.from && edge.to === to)),
  );
}

function graphNode(node: PlanNode): GraphNode {
  const { id, prompt, inputs = [], tools, model } = node;
  return {
    id,
    title: firstLine(prompt),
    inputs,
    outputs: outputNames(node),
    ...(tools === undefined ? {} : { tools }),
    ...(model === undefined ? {} : { model }),
  };
}

function failureText({ nodes }: Plan, { finished }: PlanEnd, changed: number): string {
  const problems = nodes.flatMap(({ id }) => {
    const node = finished.get(id);
    return node?.status === "failed" ? [`${id}: ${node.problem ?? "it failed"}`] : [];
  });
  const changes = changed === 0 ? "" : ` after ${changed} ${changed === 1 ? "change" : "changes"}`;
  return `The plan failed${changes}. ${problems.join("; ")}`;
}

const interruptedAdvice =
  "To continue, call the tool again with what is left. " +
  "A node that was interrupted continues if it is repeated unchanged.";

const answerAdvice = "Now answer the user: say what was achieved, with the results.";

function changeAdvice(left: number): string {
  return (
    `Find out why it failed. Then call the tool again with a changed plan and your diagnosis, at most ${left} more ` +
    `${left === 1 ? "time" : "times"}: nodes that succeeded are kept with their outputs and need not be repeated.`
  );
}
