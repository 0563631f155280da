import type { InterventionView, RunCommand, WireEvent } from "../../../contract/index.ts";

/** What is muted: an episode, a detector, or a detector for one tool. */
export type MuteTarget = Omit<Extract<RunCommand, { readonly type: "mute" }>, "type">;

/** A mute or its end that was sent. A run saves its event with the end of the turn. */
export interface SentMute {
  readonly isMuted: boolean;
  readonly target: MuteTarget;
  /** The newest saved event when it was sent. */
  readonly afterSeq: number;
}

/** The mutes in force after some events, oldest first, with those that were sent and are not saved yet. */
export function mutesIn(events: readonly WireEvent[], sent: readonly SentMute[] = []): readonly MuteTarget[] {
  const saved = events.flatMap((event) =>
    event.type === "GuardianMuted" || event.type === "GuardianUnmuted"
      ? [{ isMuted: event.type === "GuardianMuted", target: targetOf(event), seq: event.seq }]
      : [],
  );
  const unsaved = sent.filter(
    ({ target, afterSeq }) => !saved.some((each) => each.seq > afterSeq && isSameMute(each.target, target)),
  );
  let mutes: readonly MuteTarget[] = [];
  for (const { isMuted, target } of [...saved, ...unsaved]) {
    const others = mutes.filter((each) => !isSameMute(each, target));
    mutes = isMuted ? [...others, target] : others;
  }
  return mutes;
}

/** The mutes that are about an intervention. */
export function mutesAbout(
  mutes: readonly MuteTarget[],
  { episode, detector, tool }: Pick<InterventionView, "episode" | "detector" | "tool">,
): readonly MuteTarget[] {
  return mutes.filter((mute) =>
    mute.episode !== undefined
      ? mute.episode === episode
      : (mute.detector === undefined || mute.detector === detector) &&
        (mute.tool === undefined || mute.tool === tool) &&
        (mute.detector !== undefined || mute.tool !== undefined),
  );
}

/** Whether two mutes are about the same. */
export function isSameMute(one: MuteTarget, other: MuteTarget): boolean {
  return one.episode === other.episode && one.detector === other.detector && one.tool === other.tool;
}

/** What is muted, in words: "this loop", "all of bash", "the whole run". */
export function muteWords({ episode, tool }: MuteTarget): string {
  if (episode !== undefined) return "this loop";
  return tool === undefined ? "the whole run" : `all of ${tool}`;
}

function targetOf({ episode, detector, tool }: MuteTarget): MuteTarget {
  return {
    ...(episode === undefined ? {} : { episode }),
    ...(detector === undefined ? {} : { detector }),
    ...(tool === undefined ? {} : { tool }),
  };
}
