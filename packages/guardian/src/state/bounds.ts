import { hashText, hashWord } from "../perceive/hash.ts";

/** The maximum length of each list and text in the state. Together they hold it below 64 kB of JSON. */
export const bounds = {
  history: 32,
  traces: 144,
  unanswered: 40,
  refusedCalls: 64,
  findings: 6,
  pending: 8,
  episodes: 10,
  evidence: 16,
  blocks: 8,
  mutes: 16,
  textReplies: 24,
  refusedAnswers: 24,
  subagents: 128,
  subagentStarts: 128,
  tools: 48,
  name: 64,
  id: 64,
} as const;

/**
 * Shortens a name or an id, which may have any length and any characters, to one that takes one byte a character in
 * JSON.
 */
export function shorten(text: string, length: number = bounds.name): string {
  if (text.length <= length && plainText.test(text)) return text;
  return `${text.slice(0, length - 12).replace(beyondPlain, "_")}~${hashText(hashWord(text))}`;
}

/** ASCII without control characters, quotes and backslashes. */
const plainText = /^[ !#-[\]-~]*$/;
const beyondPlain = /[^ !#-[\]-~]/g;
