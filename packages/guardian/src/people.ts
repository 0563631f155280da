import { bounds, short } from "./bounds.ts";
import type { Episode } from "./episode.ts";
import { recoverByPerson } from "./judge/recover.ts";
import { known } from "./known.ts";
import { restartLimits } from "./limits.ts";
import { newRun } from "./runs.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { quiet, type Step } from "./step-result.ts";
import { alive } from "./time.ts";

/** A message came in. An automatic one excuses nothing; a person's or a schedule's begins something new. */
export function onUserMessage(state: GuardianState, signal: SignalOf<"user-message">): Step {
  if (signal.origin === "automatic") return quiet({ ...state, isNudged: true });
  const spoken = signal.origin === "person" ? { personTurn: state.personTurn + 1 } : { schedule: state.schedule + 1 };
  const { stopped: _, ...going } = { ...state, clock: alive(state.clock) };
  // Where runs are not named, this begins one; a run that has a name goes on, and what had ended it may do so again.
  const begun =
    state.run === undefined
      ? { ...newRun(going), ownLimits: state.ownLimits }
      : { ...going, limits: restartLimits(state.limits, false), messages: [], chants: 0, isNudged: false };
  return { interventions: [], ...recoverByPerson({ ...begun, ...spoken, brood: { ...begun.brood, stuck: 0 } }) };
}

/** A person says that something is fine: what is about it is dropped, and not looked for again. */
export function onMute(state: GuardianState, { detector, tool, call }: SignalOf<"mute">): GuardianState {
  if (detector === undefined && tool === undefined && call === undefined) return state; // nothing was named
  const name = tool === undefined ? undefined : short(tool);
  const isMeant = (episode: Episode) =>
    (detector === undefined || episode.detector === detector) &&
    (name === undefined || episode.tool === name) &&
    (call === undefined || episode.blocks.some((block) => block.print === call));
  return {
    ...state,
    mutes: [...state.mutes, known({ detector, tool: name, call })].slice(-bounds.mutes),
    episodes: state.episodes.filter((episode) => !isMeant(episode)),
  };
}
