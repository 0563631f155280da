import { type RunSpending, spendingOf, spendingOfRun } from "../costs/ledger-spending.ts";
import type { NodeRequest, NodeRuns } from "../director/director.ts";
import type { NodeRun } from "../director/execute-plan.ts";
import { nodeGoal } from "../director/node-goal.ts";
import { nodePrompt } from "../director/node-prompt.ts";
import type { Emit } from "../protocol/events.ts";
import type { Goal } from "../protocol/goal.ts";
import type { PlanNode } from "../protocol/plan.ts";
import { isBrokenOff, outcomes, type RunState } from "../protocol/result.ts";
import { noUsage, tokensOf } from "../protocol/usage.ts";
import type { Model } from "../provider/model.ts";
import type { Redact } from "../secrets/redact.ts";
import { nodeSessionId } from "../session/subagent-session-id.ts";
import type { CostRow, SavedRun, Stores } from "../stores/stores.ts";
import { type ReportUsage, type Spawner, usageSignal } from "./subagents.ts";

export interface NodeRunsOptions {
  /** The session and the run of the director. */
  readonly sessionId: string;
  readonly runId: string;
  readonly startedAt: number;
  /** The session that pays. */
  readonly billingSessionId: string;
  readonly goal: Goal;
  readonly stores: Pick<Stores, "sessions" | "costs" | "events">;
  readonly spawner: Pick<Spawner, "run">;
  readonly models: Readonly<Record<string, readonly Model[]>>;
  /** The size of all inputs of a node together. */
  readonly maxInputTokens: number;
  readonly redact: Redact;
  readonly emit: Emit;
  /** Saves the events so far. */
  readonly save: () => Promise<void>;
  /** Tells the guardian of the director what a node has used. */
  readonly reportUsage: ReportUsage;
  /** What that guardian knows of the spending of all subagents. */
  readonly knownSpending: () => { readonly tokens: number; readonly costNanoUsd: number };
}

/** Runs the nodes of plans as subagents. Each has a session of its own, which tells after a crash how far it came. */
export function createNodeRuns(options: NodeRunsOptions): NodeRuns {
  const { sessionId, billingSessionId, stores, goal, spawner, emit, models } = options;
  const constraints = (goal.constraints ?? []).map(({ level, text }) =>
    level === "must" ? text : `If possible: ${text}`,
  );

  async function savedRun(childId: string): Promise<SavedRun | undefined> {
    return (await stores.sessions.load(childId)).runs.at(-1);
  }

  async function startedRuns(callId: string, nodes: readonly PlanNode[]) {
    const saved = await Promise.all(
      nodes.map(async ({ id }) => {
        const childId = nodeSessionId(sessionId, callId, id);
        return { childId, run: await savedRun(childId) };
      }),
    );
    return saved.flatMap(({ childId, run }) => (run === undefined ? [] : [{ childId, run }]));
  }

  /** Reports what the ledger has beyond the known subagents: those that nodes started in turn. */
  function reportOthers(rows: readonly CostRow[]): void {
    const all = spendingOf(rows);
    const known = options.knownSpending();
    const tokens = tokensOf(all.usage) - known.tokens;
    const costNanoUsd = all.costNanoUsd === null ? null : Math.max(0, all.costNanoUsd - known.costNanoUsd);
    if (tokens <= 0) return;
    options.reportUsage(usageSignal(`${options.runId}/earlier`, { usage: { ...noUsage, input: tokens }, costNanoUsd }));
  }

  async function spentBy(run: SavedRun): Promise<RunSpending> {
    return spendingOfRun(run.runId, await stores.costs.rows(billingSessionId));
  }

  async function run({ callId, node, inputs, signal }: NodeRequest): Promise<NodeRun> {
    const childId = nodeSessionId(sessionId, callId, node.id);
    const lastRun = await savedRun(childId);
    const ended = endedRun(childId, lastRun);
    if (ended !== undefined) return ended;
    if (signal.aborted) return { isOk: false, text: "It was not started: the run was interrupted." };
    const chosen = node.model === undefined ? undefined : models[node.model];
    const end = await spawner.run(
      {
        sessionId: childId,
        task: nodePrompt(node, inputs, { constraints, maxInputTokens: options.maxInputTokens }),
        ...nodeGoal(node),
        ...(node.tools === undefined ? {} : { tools: node.tools }),
        ...(node.maxTurns === undefined ? {} : { maxTurns: node.maxTurns }),
        ...(chosen === undefined ? {} : { models: chosen }),
        ...(lastRun === undefined ? {} : { earlier: { run: lastRun, spent: await spentBy(lastRun) } }),
      },
      signal,
      () => {
        const resumed = lastRun === undefined ? {} : ({ isResumed: true } as const);
        emit({ type: "NodeStarted", nodeId: node.id, childId, callId, ...resumed });
        void options.save();
      },
    );
    if (end.type === "refused") return { isOk: false, text: end.message };
    const { state, reason, text, costNanoUsd, costWithSubagentsNanoUsd = costNanoUsd } = end.result;
    return {
      isOk: state === "completed",
      reason,
      text: options.redact(text), // as it is saved: a node that ended before a crash gives the same output
      childId,
      costNanoUsd: costWithSubagentsNanoUsd,
    };
  }

  return {
    async find(callId, node) {
      const childId = nodeSessionId(sessionId, callId, node.id);
      const lastRun = await savedRun(childId);
      return lastRun === undefined ? undefined : (endedRun(childId, lastRun) ?? "interrupted");
    },
    async restoreUsage(callId, nodes) {
      const started = await startedRuns(callId, nodes);
      if (started.length === 0) return false;
      const rows = await stores.costs.rows(billingSessionId);
      for (const { childId, run } of started)
        if (run.state !== "running") options.reportUsage(usageSignal(childId, spendingOfRun(run.runId, rows)));
      const unfinished = started.filter(({ run }) => run.state === "running").map(({ run }) => run.runId);
      reportOthers(
        rows.filter(
          ({ runId, at }) => runId !== options.runId && at >= options.startedAt && !unfinished.includes(runId),
        ),
      );
      return true;
    },
    run: (request) =>
      run(request).catch((error: unknown) => ({
        isOk: false,
        text: `The node could not be started: ${error instanceof Error ? error.message : String(error)}`,
      })),
  };
}

/** Ends that say nothing about the node itself: it can be continued. */
const interruptions: ReadonlySet<RunState> = new Set(["running", "cancelled", "timed_out", "budget_exceeded"]);

/** The result of a run that ended in an earlier process; undefined if it has not ended, or was interrupted. */
function endedRun(childId: string, saved: SavedRun | undefined): NodeRun | undefined {
  if (saved?.reason === undefined || interruptions.has(saved.state) || isBrokenOff(saved.reason)) return undefined;
  const { reason, text = "", costNanoUsd } = saved;
  return { isOk: outcomes[reason].state === "completed", reason, text, childId, costNanoUsd, isEarlier: true };
}
