import type { Status } from "../signal.ts";
import type { Complaint, Sketch } from "./print.ts";
import { collectWords, ends } from "./scan.ts";
import { sketchOf, wordSet } from "./sketch.ts";

const SHORT = 1_500;
const LINES = 12;
/** Where errors stand: at the head, or at the end of a traceback. */
const HEAD = 4_096;

/** Words by which a line says that it is about a failure. */
const complaint =
  /error|exception|fail|not found|no such|invalid|denied|cannot|unable|refused|timed? ?out|unauthori|forbidden|missing|unknown|undefined|fatal|unexpected|required|reject|n(?:o|')t (?:allowed|permitted|supported|available|exist)/i;

/** How a short result begins that is a failure though nobody flagged it: not by naming a file `error.ts`, but by complaining. */
const complains =
  /^\W*(?:[\w. ]*(?:error|exception)\b\s*[:(!\]]|traceback \(|(?:fatal|failed|failure)\b\s*[:!])|^[^\n]{0,80}: (?:command not found|no such file|permission denied)/i;

/** What flags it anywhere within, and how it ends. Patterns of their own, since one for all is tried at every character. */
const flagged = /"error"\s*:\s*["{]|"(?:success|ok)"\s*:\s*false/i;
const exited = /\bexit(?:ed)?(?: with)?(?: code| status)[: ]+(?!0\b)\d+\W*$/i;

/** Whether a call failed: by its status, or, where that says nothing, by how a short result begins or ends. */
export function isFailed(status: Status, text: string): boolean {
  return (
    status !== "ok" ||
    (text.length <= SHORT &&
      (complains.test(text.trim()) || exited.test(text) || (text.includes('"') && flagged.test(text))))
  );
}

/** The words of the lines that complain, digits left out; of the whole text where no line does. */
export function failureWords(text: string): Sketch {
  const lines: string[] = [];
  for (const line of ends(text, HEAD).split("\n")) {
    if (complaint.test(line)) lines.push(line.slice(0, 400));
    if (lines.length === LINES) break;
  }
  const words = wordSet();
  collectWords(lines.length > 0 ? lines.join("\n") : text.slice(0, 2_048), words, false);
  return sketchOf(words);
}

/** The first line that complains. */
export function complainingLine(text: string): string | undefined {
  return text.split("\n").find((line) => complaint.test(line));
}

/** Whether a short answer says that there is nothing. */
export function saysNothing(text: string): boolean {
  return text.length < SHORT_ANSWER && (nothing.test(text) || !/[\p{L}\d]/u.test(text));
}

const SHORT_ANSWER = 200;
const nothing =
  /\b(?:no|not|none|nothing|null|empty|never|cannot|unknown|unavailable|0 \w+|kein\w*|nicht\w*|aucun\w*|ning[uú]n\w*|não|нет|не)\b|(?:total|count|results?)"?\s*[:=]\s*(?:0|\[\])|没有|未找到/iu;

/** What kind of failure a text tells of, if it is one that calls for advice of its own. */
export function complaintOf(text: string): Complaint | undefined {
  const told = text.slice(0, 2_048);
  return kinds.find(([, pattern]) => pattern.test(told))?.[0];
}

const kinds: readonly (readonly [Complaint, RegExp])[] = [
  ["authentication", /\b40[13]\b|unauthori|forbidden|authenticat|credential|api key|token (?:has )?expired/i],
  ["rate-limit", /\b(?:429|50[234])\b|too many requests|rate.?limit|overloaded|throttl|quota|unavailable/i],
  ["timeout", /timed? ?out/i],
  ["edit-mismatch", /no match|not found in|not match|hunk failed|not unique|old_?string/i],
];
