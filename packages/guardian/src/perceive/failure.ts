import type { Status } from "../signal.ts";
import type { Complaint, Sketch } from "./print.ts";
import { collectWords } from "./scan.ts";
import { sketchOf, wordSet } from "./sketch.ts";

const SHORT = 1_500;
const EARLY = 120;
const LINES = 12;

/** Words by which a result says that it failed, wherever an error line is looked for. */
const complaint =
  /error|exception|fail|not found|no such|invalid|denied|cannot|can't|could not|couldn't|unable|refused|time[d-]? ?out|unauthori[sz]ed|forbidden|missing|unknown|undefined|traceback|panic|fatal|unexpected|required|exceed|reject|does not|doesn't|is not|not (?:allowed|permitted|supported|available|exist)|incorrect|illegal|mismatch/i;

/** How a short result begins that is a failure though nobody flagged it. */
const failedEarly =
  /\b(?:error|exception|traceback|fatal|failed|failure)\b|command not found|no such file|permission denied|access denied|unauthori[sz]ed|\bforbidden\b|timed out|is not recognized|"(?:success|ok)"\s*:\s*false/i;

const failedLate = /\bexit(?:ed)?(?: with)?(?: code| status)?[: ]+(?!0\b)\d+/i;

const absolved =
  /\b(?:no|0|zero|without|any)\s+(?:\w+\s+)?(?:error|failure|exception)s?\b|\b(?:error|failure|exception|failed)s?"?\s*[:=]\s*(?:0\b|null|none|false|\[\]|\{\}|"")/i;

/** Whether a call failed: by its status, or, where that says nothing, by an error word early in a short result. */
export function isFailed(status: Status, text: string): boolean {
  if (status !== "ok") return true;
  if (text.length > SHORT) return false;
  const head = text.slice(0, EARLY);
  if (absolved.test(head)) return false;
  return failedEarly.test(head) || failedLate.test(text.slice(-EARLY)) || failedLate.test(head);
}

/** The words of the lines that complain, digits left out; of the whole text where no line does. */
export function failureWords(text: string): Sketch {
  const lines: string[] = [];
  for (const line of ends(text).split("\n")) {
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

/** Where errors stand: at the head, or at the end of a traceback. */
function ends(text: string): string {
  return text.length > 8_192 ? `${text.slice(0, 4_096)}\n${text.slice(-4_096)}` : text;
}

/** Whether a short answer says that there is nothing. */
export function saysNothing(text: string): boolean {
  return text.length < SHORT_ANSWER && (nothing.test(text) || !/[\p{L}\d]/u.test(text));
}

const SHORT_ANSWER = 200;
const nothing =
  /\b(?:no|not|none|nothing|null|empty|never|without|cannot|unknown|unavailable|0 \w+|kein\w*|nicht\w*|aucun\w*|ning[uú]n\w*|não|nessun\w*|нет|не)\b|"?(?:total|count|results?)"?\s*[:=]\s*(?:0|\[\])|没有|未找到|ありません|없/iu;

/** What kind of failure a text tells of, if it is one that calls for advice of its own. */
export function complaintOf(text: string): Complaint | undefined {
  const told = text.slice(0, 2_048);
  return kinds.find(([, pattern]) => pattern.test(told))?.[0];
}

const kinds: readonly (readonly [Complaint, RegExp])[] = [
  ["authentication", /\b(?:401|403)\b|unauthori[sz]ed|forbidden|authenticat|credential|api key|log ?in required|token (?:has )?expired/i],
  ["rate-limit", /\b(?:429|503)\b|too many requests|rate.?limit|overloaded|throttl|quota/i],
  ["timeout", /time[d-]? ?out|deadline exceeded/i],
  ["edit-mismatch", /no match|not found in|did not match|does not match|hunk failed|not unique|old_?string/i],
];
