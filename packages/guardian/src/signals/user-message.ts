import { recoverByPerson } from "../detect/recovery.ts";
import { resumeMeters } from "../limits/meters.ts";
import type { SignalOf } from "../signal.ts";
import { onActivity } from "../state/clock.ts";
import type { Draft } from "../state/draft.ts";
import { startNewRun } from "./new-run.ts";

/**
 * A message came in. An automatic one excuses nothing; a person's or a scheduled one starts something new.
 * Returns the ids of the episodes that closed.
 */
export function onUserMessage(state: Draft, { origin }: SignalOf<"user-message">): readonly string[] {
  state.isNudged = origin === "automatic";
  if (origin === "automatic") return [];
  if (origin === "person") state.personTurn++;
  else state.scheduledPrompts++;
  state.stopped = undefined;
  onActivity(state);
  // Without names, the message starts a run. A run with a name continues, and the limit that ended it may end it again.
  const { userLimits } = state;
  if (state.run === undefined) startNewRun(state);
  else state.limits = resumeMeters(state.limits);
  state.userLimits = userLimits;
  state.textReplies = [];
  state.refusedAnswers = [];
  state.chantCount = 0;
  state.subagentTotals = { ...state.subagentTotals, stuck: 0 };
  return recoverByPerson(state);
}
