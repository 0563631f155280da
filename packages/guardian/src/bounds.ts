import { hashText, hashWord } from "./perceive/hash.ts";

/** How much of each is kept. Together they hold the state below 64 kB of JSON. */
export const bounds = {
  history: 32,
  past: 144,
  open: 40,
  refused: 64,
  found: 6,
  untold: 8,
  episodes: 10,
  evidence: 16,
  blocks: 8,
  mutes: 16,
  messages: 24,
  children: 128,
  starts: 128,
  tools: 48,
  name: 64,
  id: 64,
} as const;

/** Names and ids come from elsewhere and may be of any length; what is kept of them may not. */
export function short(text: string, length: number = bounds.name): string {
  if (text.length <= length && isPlain.test(text)) return text;
  return `${text.slice(0, length - 12).replace(beyondPlain, "_")}~${hashText(hashWord(text))}`;
}

/** One byte a character in JSON, but for an accent here and there. */
const isPlain = /^[ !#-[\]-~]*$/;
const beyondPlain = /[^ !#-[\]-~]/g;
