import type { AgentRun } from "./agent-run.ts";
import { appendNotices, appendPrompt, appendSteering } from "./append-messages.ts";
import { decideNotices } from "./ask-user.ts";
import { commitTurn, completeTurn, runRecord } from "./commit-turn.ts";
import { startedEvent } from "./finish-run.ts";
import { isTurnOpen, resumeTurn } from "./resume-turn.ts";

/**
 * Step 2: appends the prompt and saves it before anything else happens. A turn in which a process crashed is finished
 * first; until then the prompt is saved as pending. `onStarted` is called once the start is saved.
 */
export async function savePrompt(run: AgentRun, onStarted: () => void): Promise<void> {
  const hasOpenTurn = isTurnOpen(run);
  const isPromptPending = hasOpenTurn && run.inbox.hasPrompt;
  if (!hasOpenTurn) appendPrompt(run);
  await commitTurn(run, [startedEvent(run.setup, run.guard.limits())], runRecord(run, { isPromptPending }));
  onStarted();
  if (!hasOpenTurn) return;
  await resumeTurn(run);
  appendPrompt(run);
  appendNotices(run, await decideNotices(run));
  appendSteering(run);
  await commitTurn(run, completeTurn(run), runRecord(run));
}
