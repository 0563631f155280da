import { settleCalls } from "../detect/recovery.ts";
import { liftStop } from "../limits/meters.ts";
import type { SignalOf } from "../signal.ts";
import { bounds, shorten } from "../state/bounds.ts";
import type { Draft } from "../state/draft.ts";
import type { Episode } from "../state/episode.ts";
import type { Mute } from "../state/guardian-state.ts";
import { episodeOf } from "../state/intervention.ts";

/**
 * A user says that a repetition is fine. A muted episode stays, so that what belongs to it is muted too; a detector,
 * a tool or a call is ignored from now on, and its episodes are dropped.
 */
export function onMute(state: Draft, { detector, tool, call, episode }: SignalOf<"mute">): void {
  if (episode !== undefined) muteEpisode(state, episode);
  if (detector === undefined && tool === undefined && call === undefined) return;
  const mute: Mute = { detector, tool: tool === undefined ? undefined : shorten(tool), call };
  state.mutes = [...state.mutes, mute].slice(-bounds.mutes);
  state.episodes = state.episodes.filter((other) => !isMutedBy(other, mute));
}

/**
 * A muted episode refuses nothing, and the stop is lifted if this episode has caused it. Its calls no longer count
 * elsewhere. Its blocks stay, for the time after the mute.
 */
function muteEpisode(state: Draft, id: string): void {
  const episode = state.episodes.find((each) => each.id === id);
  if (episode === undefined) return;
  const isOver = episode.detector === "stall"; // the next silence is another stall
  const muted: Episode = { ...episode, isMuted: true, mutedCount: episode.count };
  state.episodes = state.episodes.flatMap((other) => (other !== episode ? other : isOver ? [] : muted));
  settleCalls(state, new Set(episode.calls));
  if (state.stopped !== undefined && episodeOf(state.stopped.intervention) === id) liftStop(state);
}

function isMutedBy(episode: Episode, { detector, tool, call }: Mute): boolean {
  return (
    (detector === undefined || episode.detector === detector) &&
    (tool === undefined || episode.tool === tool) &&
    (call === undefined || episode.blocks.some(({ print }) => print === call))
  );
}
