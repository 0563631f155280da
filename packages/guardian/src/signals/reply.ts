import type { SignalOf } from "../signal.ts";
import { bounds } from "../state/bounds.ts";
import { onActivity } from "../state/clock.ts";
import type { Draft } from "../state/draft.ts";
import type { TextReply } from "../state/guardian-state.ts";
import { endStream } from "./end-stream.ts";

/** A short message has at most this many distinct words and characters: some scripts have no spaces. */
const SHORT_WORDS = 25;
const SHORT_CHARS = 200;

/** A reply is complete or cut off. A reply without calls is stored by its words. */
export function onReply(state: Draft, { stop, calls, words, size = 0 }: SignalOf<"reply">): void {
  const isShort = words.length <= SHORT_WORDS && size <= SHORT_CHARS && stop !== "length";
  const reply: TextReply = state.isNudged && isShort ? { words, isNudged: true } : { words };
  endStream(state);
  onActivity(state);
  state.isNudged = false;
  if (calls > 0) return;
  state.textReplies = [...state.textReplies, reply].slice(-bounds.textReplies);
}
