import type { SavedRun } from "@sheepdog/agent";
import type { CommandContext } from "./command-context.ts";

/** The id of the run whose process receives commands: that of a subagent is the run that started it. */
export async function receivingRunId(
  { stores }: Pick<CommandContext, "stores">,
  { runId, billingSessionId }: Pick<SavedRun, "runId" | "billingSessionId">,
): Promise<string> {
  if (billingSessionId === undefined) return runId;
  const sessions = await stores.sessions.list();
  return sessions.find(({ sessionId }) => sessionId === billingSessionId)?.lastRun?.runId ?? runId;
}
