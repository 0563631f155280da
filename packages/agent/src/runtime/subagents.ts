import { type DetectorName, detectorNames, type SignalInput } from "@sheepdog/guardian";
import { onAbort } from "../async/on-abort.ts";
import type { RunSpending } from "../costs/ledger-spending.ts";
import type { Check } from "../goals/check.ts";
import type { Guard } from "../guard/guard.ts";
import type { AgentEvent, Emit } from "../protocol/events.ts";
import type { Goal } from "../protocol/goal.ts";
import type { RunResult } from "../protocol/result.ts";
import type { Run } from "../protocol/run.ts";
import { tokensOf } from "../protocol/usage.ts";
import type { Model } from "../provider/model.ts";
import { subagentSessionId } from "../session/subagent-session-id.ts";
import type { SavedRun } from "../stores/stores.ts";
import type { Spawn, SpawnOptions } from "../tools/spawn-tool.ts";
import { failed, ok, type ToolOutcome } from "../tools/tool.ts";

/** Reports the usage of a subagent to a run above it. */
export type ReportUsage = (signal: Extract<SignalInput, { readonly type: "usage" }>) => void;

/** A subagent to start, as its parent describes it. */
interface ChildRequest extends SpawnOptions {
  readonly sessionId: string;
  readonly task: string;
  readonly goal?: Goal;
  /** The functions that the goal names. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Default: those of the parent. */
  readonly models?: readonly Model[];
  /** The last run of its session, which was interrupted and is continued, and what it has spent. */
  readonly earlier?: { readonly run: SavedRun; readonly spent: RunSpending };
}

/** A subagent to start, with its place below the run. */
export interface SubagentRequest extends ChildRequest {
  readonly depth: number;
  /** Called with the usage of the subagents that it starts in turn. */
  readonly reportUsage: ReportUsage;
}

export type StartSubagent = (request: SubagentRequest) => Run;

/** How a subagent ended, or why the guardian did not let it start. */
type ChildEnd =
  | { readonly type: "ended"; readonly result: RunResult }
  | { readonly type: "refused"; readonly message: string };

export interface SpawnerOptions {
  /** The guard of the parent; asked for when a subagent is started. */
  readonly guard: () => Guard;
  readonly emit: Emit;
  /** The depth of the parent. */
  readonly depth: number;
  readonly start: StartSubagent;
  readonly reportUsage?: ReportUsage | undefined;
}

/** Starts subagents, each with a guardian of its own and on the budget of the parent. */
export interface Spawner {
  /** For the tool `spawn`. */
  readonly spawn: Spawn;
  /** Runs a subagent to its end. Aborting the signal cancels it. `onStart` is called unless it is refused. */
  run(request: ChildRequest, signal: AbortSignal, onStart: () => void): Promise<ChildEnd>;
  /** Resolves when all running subagents are over. */
  settled(): Promise<void>;
}

export function createSpawner(options: SpawnerOptions): Spawner {
  const running = new Set<Promise<ChildEnd>>();

  const { emit, depth } = options;

  function run(request: ChildRequest, signal: AbortSignal, onStart: () => void): Promise<ChildEnd> {
    const subagent = runSubagent(options, request, { signal, onStart }).finally(() => running.delete(subagent));
    running.add(subagent);
    return subagent;
  }

  return {
    run,
    async spawn(task, allowed, { signal, sessionId, runId, callId }) {
      const childId = subagentSessionId({ sessionId, runId }, callId);
      const end = await run({ ...allowed, task, sessionId: childId }, signal, () =>
        emit({ type: "ChildStarted", childId, task, depth: depth + 1, callId }),
      );
      if (end.type === "ended") emit({ type: "ChildComplete", childId, reason: end.result.reason });
      return spawnOutcome(end);
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}

function spawnOutcome(end: ChildEnd): ToolOutcome {
  if (end.type === "refused") return failed(end.message);
  const { state, reason, text } = end.result;
  return state === "completed" ? ok(text) : failed(`The subagent did not finish (${reason}). ${text}`);
}

async function runSubagent(
  { guard: guardOfParent, depth: parentDepth, start, reportUsage }: SpawnerOptions,
  request: ChildRequest,
  { signal, onStart }: { readonly signal: AbortSignal; readonly onStart: () => void },
): Promise<ChildEnd> {
  const guard = guardOfParent();
  const depth = parentDepth + 1;
  const { sessionId: childId } = request;
  const refusal = guard
    .observe({ type: "child-start", id: childId, depth })
    .find(({ denies, isApplied }) => isApplied && denies !== undefined);
  if (refusal !== undefined) return { type: "refused", message: refusal.message };
  onStart();
  guard.observe({ type: "waiting", for: "child" });
  const report: ReportUsage = (usage) => {
    guard.observe(usage); // a limit may end the parent with all its subagents
    reportUsage?.(usage);
  };
  if (request.earlier?.run.state === "running") report(usageSignal(childId, request.earlier.spent));
  const child = start({ ...request, depth, reportUsage: report });
  const stopListening = onAbort(signal, () => child.cancel());
  const result = await followSubagent(child, report);
  stopListening();
  guard.observe({ type: "child-end", id: childId, depth, findings: findingsOf(result) });
  return { type: "ended", result };
}

/** What a subagent has used in all. */
export function usageSignal(childId: string, { usage, costNanoUsd }: RunSpending): Parameters<ReportUsage>[0] {
  const used = { "run-tokens": tokensOf(usage), ...(costNanoUsd === null ? {} : { "run-cost": costNanoUsd }) };
  return { type: "usage", child: childId, used, isPriced: costNanoUsd !== null };
}

/** Reports the usage of a subagent until it is over. */
async function followSubagent(child: Run, report: ReportUsage): Promise<RunResult> {
  try {
    for await (const event of child) reportUsageOf(event, child.sessionId, report);
  } catch (error) {
    child.cancel();
    await child.result;
    throw error;
  }
  return child.result;
}

function reportUsageOf(event: AgentEvent, childId: string, report: ReportUsage): void {
  if (event.type === "UsageUpdate")
    report({ type: "usage", child: childId, used: { "run-tokens": tokensOf(event.total) }, isPriced: true });
  if (event.type !== "CostEvent") return;
  const { totalNanoUsd } = event;
  const used = totalNanoUsd === null ? {} : { "run-cost": totalNanoUsd };
  report({ type: "usage", child: childId, used, isPriced: totalNanoUsd !== null });
}

/** The detectors that ended a run. */
function findingsOf({ interventions }: RunResult): readonly DetectorName[] {
  const halted = new Set<string>(interventions.flatMap(({ detector, level }) => (level === "halt" ? [detector] : [])));
  return detectorNames.filter((name) => halted.has(name));
}
