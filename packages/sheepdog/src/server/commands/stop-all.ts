import type { CommandResult } from "@sheepdog/web/contract";
import { counted } from "../../render/terminal/amounts.ts";
import { listRuns } from "../../saved-runs/list-runs.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { ViewContext } from "../view-context.ts";

const maxRuns = 1_000;

/** Stops all live runs. Their subagents end with them. */
export async function stopAll({ stores, port, now }: ViewContext): Promise<CommandResult> {
  const { runs } = await listRuns(stores, {
    at: now(),
    limit: maxRuns,
    isHeldOnly: true,
    isWanted: ({ state, run }) => isLive(state) && run.billingSessionId === undefined,
  });
  if (runs.length === 0) return { isDone: true, text: "No run is running.", runId: null };
  const outcomes = await Promise.all(runs.map(({ run }) => port.send(run.runId, { type: "stop" })));
  const failed = runs.filter((_, index) => ["refused", "unanswered"].includes(outcomes[index]?.type ?? ""));
  const stopped = runs.length - failed.length;
  if (failed.length === 0) return { isDone: true, text: `${counted(stopped, "run")} stopped.`, runId: null };
  const names = failed.map(({ run }) => run.runId).join(", ");
  return {
    isDone: false,
    text: `${counted(stopped, "run")} stopped. Not stopped, because no process answered: ${names}.`,
    runId: null,
  };
}
