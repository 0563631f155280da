import type { ChannelTarget } from "./channel-settings.ts";

/** What a channel needs to be asked something. */
export type AskedChannel = Pick<ChannelTarget, "name" | "answerFrom" | "events">;

/** Whether questions of this kind are sent to a channel, and people can answer them from there. */
export function isAsked({ answerFrom, events }: AskedChannel, kind: "approval" | "question"): boolean {
  return answerFrom.length > 0 && events.includes(kind);
}
