import { bounds, short } from "./bounds.ts";
import type { Draft } from "./draft.ts";
import type { Episode } from "./episode.ts";
import { recoverByPerson } from "./judge/recover.ts";
import { restartLimits } from "./limits.ts";
import { withNewest } from "./newest.ts";
import { newRun } from "./runs.ts";
import type { SignalOf } from "./signal.ts";
import { type Said, silent } from "./step-result.ts";
import { alive } from "./time.ts";

/** A message came in. An automatic one excuses nothing; a person's or a schedule's begins something new. */
export function onUserMessage(state: Draft, signal: SignalOf<"user-message">): Said {
  state.isNudged = signal.origin === "automatic";
  if (state.isNudged) return silent;
  if (signal.origin === "person") state.personTurn++;
  else state.schedule++;
  state.stopped = undefined;
  alive(state);
  // Where runs are not named, this begins one; a run that has a name goes on, and what had ended it may do so again.
  const { userLimits } = state;
  if (state.run === undefined) newRun(state);
  else state.limits = restartLimits(state.limits, false);
  state.userLimits = userLimits;
  state.messages = [];
  state.chants = 0;
  state.subagentTotals = { ...state.subagentTotals, stuck: 0 };
  return { ...silent, recovered: recoverByPerson(state) };
}

/** A person says that something is fine: what is about it is dropped, and not looked for again. */
export function onMute(state: Draft, { detector, tool, call }: SignalOf<"mute">): void {
  if (detector === undefined && tool === undefined && call === undefined) return; // nothing was named
  const name = tool === undefined ? undefined : short(tool);
  const isMeant = (episode: Episode) =>
    (detector === undefined || episode.detector === detector) &&
    (name === undefined || episode.tool === name) &&
    (call === undefined || episode.blocks.some((block) => block.print === call));
  state.mutes = withNewest(state.mutes, { detector, tool: name, call }, bounds.mutes);
  state.episodes = state.episodes.filter((episode) => !isMeant(episode));
}
