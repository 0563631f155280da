import type { SignalOf } from "../signal.ts";
import { bounds, shorten } from "../state/bounds.ts";
import type { Draft } from "../state/draft.ts";
import type { Episode } from "../state/episode.ts";
import type { Mute } from "../state/guardian-state.ts";

/** A user says that a repetition is fine: its episodes are dropped, and it is ignored from now on. */
export function onMute(state: Draft, { detector, tool, call }: SignalOf<"mute">): void {
  if (detector === undefined && tool === undefined && call === undefined) return;
  const mute: Mute = { detector, tool: tool === undefined ? undefined : shorten(tool), call };
  state.mutes = [...state.mutes, mute].slice(-bounds.mutes);
  state.episodes = state.episodes.filter((episode) => !isMutedBy(episode, mute));
}

function isMutedBy(episode: Episode, { detector, tool, call }: Mute): boolean {
  return (
    (detector === undefined || episode.detector === detector) &&
    (tool === undefined || episode.tool === tool) &&
    (call === undefined || episode.blocks.some(({ print }) => print === call))
  );
}
