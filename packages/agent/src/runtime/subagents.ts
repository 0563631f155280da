import { type DetectorName, detectorNames, type SignalInput } from "@sheepdog/guardian";
import { onAbort } from "../async/on-abort.ts";
import type { Guard } from "../guard/guard.ts";
import type { AgentEvent, Emit } from "../protocol/events.ts";
import type { RunResult } from "../protocol/result.ts";
import type { Run } from "../protocol/run.ts";
import { tokensOf } from "../protocol/usage.ts";
import { subagentSessionId } from "../session/subagent-session-id.ts";
import type { Spawn, SpawnOptions } from "../tools/spawn-tool.ts";
import { failed, ok, type ToolContext, type ToolOutcome } from "../tools/tool.ts";

/** Reports the usage of a subagent to a run above it. */
export type ReportUsage = (signal: Extract<SignalInput, { readonly type: "usage" }>) => void;

/** A subagent to start. */
export interface SubagentRequest extends SpawnOptions {
  readonly sessionId: string;
  readonly task: string;
  readonly depth: number;
  /** Called with the usage of the subagents that it starts in turn. */
  readonly reportUsage: ReportUsage;
}

export type StartSubagent = (request: SubagentRequest) => Run;

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
  readonly spawn: Spawn;
  /** Resolves when all running subagents are over. */
  settled(): Promise<void>;
}

export function createSpawner(options: SpawnerOptions): Spawner {
  const running = new Set<Promise<ToolOutcome>>();
  return {
    spawn(task, allowed, context) {
      const subagent = runSubagent(options, { ...allowed, task }, context).finally(() => running.delete(subagent));
      running.add(subagent);
      return subagent;
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}

async function runSubagent(
  { guard: guardOfParent, emit, depth: parentDepth, start, reportUsage }: SpawnerOptions,
  { task, ...allowed }: SpawnOptions & { readonly task: string },
  { signal, sessionId, runId, callId }: ToolContext,
): Promise<ToolOutcome> {
  const guard = guardOfParent();
  const depth = parentDepth + 1;
  const childId = subagentSessionId({ sessionId, runId }, callId);
  const refusal = guard
    .observe({ type: "child-start", id: childId, depth })
    .find(({ denies, isApplied }) => isApplied && denies !== undefined);
  if (refusal !== undefined) return failed(refusal.message);
  emit({ type: "ChildStarted", childId, task, depth });
  guard.observe({ type: "waiting", for: "child" });
  const report: ReportUsage = (usage) => {
    guard.observe(usage); // a limit may end the parent with all its subagents
    reportUsage?.(usage);
  };
  const child = start({ ...allowed, sessionId: childId, task, depth, reportUsage: report });
  const stopListening = onAbort(signal, () => child.cancel());
  const result = await followSubagent(child, report);
  stopListening();
  guard.observe({ type: "child-end", id: childId, depth, findings: findingsOf(result) });
  emit({ type: "ChildComplete", childId, reason: result.reason });
  if (result.state === "completed") return ok(result.text);
  return failed(`The subagent did not finish (${result.reason}). ${result.text}`);
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
