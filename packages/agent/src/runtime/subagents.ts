import { createHash } from "node:crypto";
import { type DetectorName, detectorNames, type Guardian } from "@sheepdog/guardian";
import type { RunContext } from "../loop/run-context.ts";
import type { Emit } from "../protocol/events.ts";
import type { RunResult } from "../protocol/result.ts";
import type { Run } from "../protocol/run.ts";
import { tokensOf } from "../protocol/usage.ts";
import type { Spawn, SpawnOptions } from "../tools/spawn-tool.ts";
import { failed, ok, type ToolOutcome } from "../tools/tool.ts";

/** What starting a subagent needs from the run that starts it. */
export interface Parent extends Pick<RunContext, "guard" | "children"> {
  readonly emit: Emit;
  /** How deep the parent is below the first run; 0 is the first run itself. */
  readonly depth: number;
  readonly start: (child: Child) => Run;
  /** Tells the runs above this one what is used below it. */
  readonly above?: TellUsage | undefined;
}

/** A subagent to be started. */
interface Child extends SpawnOptions {
  readonly sessionId: string;
  readonly task: string;
  readonly depth: number;
  /** Called with what those use that it starts in turn. */
  readonly above: TellUsage;
}

export type TellUsage = (signal: Extract<Parameters<Guardian["observe"]>[0], { readonly type: "usage" }>) => void;

/** Starts subagents: each with a guardian of its own, on the budget of the run that starts it. What is one too many is refused in band. */
export function createSpawn(parent: Parent): Spawn {
  return (task, allowed, context) => {
    const working = spawn(parent, task, allowed, context).finally(() => parent.children.delete(working));
    parent.children.add(working);
    return working;
  };
}

async function spawn(
  { guard, emit, depth, start, above }: Parent,
  ...[task, allowed, { signal, sessionId, runId, callId }]: Parameters<Spawn>
): Promise<ToolOutcome> {
  const childId = childOf(sessionId, runId, callId);
  const refusal = guard
    .observe({ type: "child-start", id: childId, depth: depth + 1 })
    .find(({ denies, isApplied }) => isApplied && denies !== undefined);
  if (refusal !== undefined) return failed(refusal.message);
  emit({ type: "ChildStarted", childId, task, depth: depth + 1 });
  guard.observe({ type: "waiting", for: "child" });
  const tell: TellUsage = (signal) => {
    guard.observe(signal); // may end them all
    above?.(signal);
  };
  const child = start({ ...allowed, sessionId: childId, task, depth: depth + 1, above: tell });
  const cancel = () => child.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    for await (const event of child) {
      if (event.type !== "CostEvent" && event.type !== "UsageUpdate") continue;
      const used =
        event.type === "UsageUpdate"
          ? { "run-tokens": tokensOf(event.total) }
          : event.totalNanoUsd === null
            ? {}
            : { "run-cost": event.totalNanoUsd };
      tell({
        type: "usage",
        child: childId,
        used,
        isPriced: event.type === "UsageUpdate" || event.totalNanoUsd !== null,
      });
    }
  } catch (error) {
    cancel();
    await child.result;
    throw error;
  }
  const result = await child.result;
  signal.removeEventListener("abort", cancel);
  guard.observe({ type: "child-end", id: childId, depth: depth + 1, findings: findingsOf(result) });
  emit({ type: "ChildComplete", childId, reason: result.reason });
  return result.state === "completed"
    ? ok(result.text)
    : failed(`The subagent did not finish (${result.reason}). ${result.text}`);
}

/** The session of the subagent that a call started: known by the call, so that one whose process ended can be found again. */
export function childOf(sessionId: string, runId: string, callId: string): string {
  return `ses_${createHash("sha256")
    .update(JSON.stringify([sessionId, runId, callId]))
    .digest("hex")
    .slice(0, 20)}`;
}

/** The detectors that ended a run. */
function findingsOf({ interventions }: RunResult): readonly DetectorName[] {
  return interventions.flatMap(({ detector, level }) =>
    level === "halt" ? detectorNames.filter((name) => name === detector) : [],
  );
}
