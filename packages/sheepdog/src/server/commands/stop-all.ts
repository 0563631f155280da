import { isLeaseActive, type SessionSummary } from "@sheepdog/agent";
import type { CommandResult } from "@sheepdog/web/contract";
import { counted } from "../../render/terminal/amounts.ts";
import type { ViewContext } from "../view-context.ts";

/** Stops all live runs, also those whose sessions cannot be read. Their subagents end with them. */
export async function stopAll({ stores, port, now }: ViewContext): Promise<CommandResult> {
  const at = now();
  const runIds = (await stores.sessions.list()).flatMap((session) => liveRunId(session, at) ?? []);
  if (runIds.length === 0) return { isDone: true, text: "No run is running.", runId: null };
  const results = await Promise.allSettled(runIds.map((runId) => port.send(runId, { type: "stop" })));
  const isStopped = (result: (typeof results)[number] | undefined) =>
    result?.status === "fulfilled" && ["applied", "ended"].includes(result.value.type);
  const failed = runIds.filter((_, index) => !isStopped(results[index]));
  const stopped = counted(runIds.length - failed.length, "run");
  if (failed.length === 0) return { isDone: true, text: `${stopped} stopped.`, runId: null };
  return {
    isDone: false,
    text: `${stopped} stopped. Not stopped, because no process answered: ${failed.join(", ")}.`,
    runId: null,
  };
}

/** The run that a process executes in a session; undefined if there is none, or if it is a subagent's. */
function liveRunId({ holder, renewedAt, lastRun }: SessionSummary, at: number): string | undefined {
  if (lastRun === undefined || lastRun.endedAt !== undefined || lastRun.billingSessionId !== undefined)
    return undefined;
  return holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at) ? lastRun.runId : undefined;
}
