import type { SignalOf } from "../signal.ts";
import { shorten } from "../state/bounds.ts";
import type { Draft } from "../state/draft.ts";
import type { Episode } from "../state/episode.ts";
import type { Mute } from "../state/guardian-state.ts";

/** A user lifts mutes: from now on the guardian acts again on what was muted. */
export function onUnmute(state: Draft, { detector, tool, call, episode }: SignalOf<"unmute">): void {
  if (episode !== undefined)
    state.episodes = state.episodes.map((each) => (each.id === episode && each.isMuted ? unmuted(each) : each));
  if (detector === undefined && tool === undefined && call === undefined) return;
  const scope: Mute = { detector, tool: tool === undefined ? undefined : shorten(tool), call };
  state.mutes = state.mutes.filter((mute) => !isWithin(mute, scope));
}

/** Its calls were counted under the mute, so its next equal call is judged with them. */
function unmuted({ isMuted: _, ...episode }: Episode): Episode {
  // The end of the run was only recorded: the next finding ends it.
  return { ...episode, level: episode.level === "halt" ? "block" : episode.level, isUnmuted: true };
}

function isWithin(mute: Mute, { detector, tool, call }: Mute): boolean {
  return (
    (detector === undefined || mute.detector === detector) &&
    (tool === undefined || mute.tool === tool) &&
    (call === undefined || mute.call === call)
  );
}
