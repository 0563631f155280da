import { findSecrets } from "@sheepdog/guardian/secrets";
import type { ValueMask } from "./value-mask.ts";

/** Words and signs at the end of a text after which a secret may follow: `password: `, `Authorization: Bearer `. */
const secretOpener = new RegExp(
  "(?:(?:password|passwd|passphrase|pwd|secret|token|api|key|authorization|credential|bearer|basic|seed)" +
    "[^\\s]{0,40}\\s*(?:(?:is|was|for \\S{1,64}|[:=])\\s*)*[\"']?(?:(?:bearer|basic|token|digest)\\s*)?" +
    "|[\\w\\])\"'`\\\\]\\s{0,3}[:=]{1,2}>?\\s*(?:[|>][+-]?\\s*)?[\"'`\\\\[]{0,4}" +
    "(?:(?:bearer|basic|token|digest)\\s*)?)$",
  "i",
);
const OPENER_LENGTH = 96;
const MAX_HELD = 2_048;
/** Longer than the longest private key in use. */
const MAX_HELD_SECRET = 32_768;
const MAX_TRIES = 16;

/** The start of a command or an entry of .netrc whose later words may be a password. */
const command =
  /(?:^|[^\w-]|\\[nrt])(?:curl|wget|mysql\w*|mariadb\w*|sshpass|docker|podman|redis-cli|https?|xh|machine)\s[^\n]*$/;
const netrc = /(?:^|\s|\\[nrt])machine\s+\S{1,255}(?:\s+\S{1,255}){0,3}\s*$/;
/** The first line of a private key, as far as it has arrived. */
const keyHeader = /-{4,5} ?BEGIN[A-Z\d -]{0,70}$/;
const TAIL_LENGTH = 1_024;
/** A line of base64, which may be the first line of a key. */
const base64Line = /(?:^|\n|\\n)[ \t]{0,32}[A-Za-z\d+/]{60,76}\s*$/;

/**
 * The length of the part of a streamed text that can be published now. A secret that arrives in several deltas is
 * recognised only when it is complete, so the last word, and the words that announce a secret, are held back until the
 * next space; an open quote, a command with a password and a private key until their end.
 * Text without a space is held back up to 2,048 characters, then published up to its last comma or bracket. The values
 * of keys in use are never cut in two, whatever characters they have.
 */
export function publishableLength(text: string, values: Pick<ValueMask, "cutBefore">): number {
  return values.cutBefore(text, lengthByForm(text));
}

/** The length of the part of a text that ends with no beginning of a secret with a known form. */
function lengthByForm(text: string): number {
  const endAtSpace = lastSafeEnd(text, spaces);
  if (endAtSpace === 0 && text.length > MAX_HELD) return lastSafeEnd(text, ",;{}[]()<>|") || text.length;
  const start = openStart(text);
  return start >= endAtSpace ? endAtSpace : lastSafeEnd(text.slice(0, start), spaces);
}

const spaces = " \n\t\r";

/** The index before which no secret is open; the end of the text if none is. */
function openStart(text: string): number {
  const tailStart = Math.max(0, text.length - TAIL_LENGTH);
  const tail = text.slice(tailStart);
  const starts = [command, netrc, keyHeader, base64Line].map((pattern) => pattern.exec(tail)?.index ?? tail.length);
  const open = findSecrets(text).find(({ isOpen }) => isOpen === true);
  const openLine =
    open === undefined || text.length - open.start > MAX_HELD_SECRET ? text.length : lineStart(text, open.start);
  return Math.min(openLine, tailStart + Math.min(...starts));
}

/** The start of the line with an index, or of the last 256 characters before it. */
function lineStart(text: string, index: number): number {
  return Math.max(text.lastIndexOf("\n", index - 1) + 1, index - 256, 0);
}

/** The index behind the last of these separators that does not follow the announcement of a secret; 0 if none. */
function lastSafeEnd(text: string, separators: string): number {
  let end = text.length;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    end = endOfLast(separators, text, end);
    if (end <= 0) return 0;
    if (!secretOpener.test(text.slice(Math.max(0, end - OPENER_LENGTH), end))) return end;
    end -= 1;
  }
  return 0;
}

function endOfLast(separators: string, text: string, end: number): number {
  for (let index = end - 1; index >= 0; index -= 1) if (separators.includes(text.charAt(index))) return index + 1;
  return 0;
}
