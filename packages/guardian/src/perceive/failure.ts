import type { Complaint, Sketch, Status } from "./print.ts";
import { collectWords, headAndTail } from "./scan.ts";
import { sketchOf, wordSet } from "./sketch.ts";

/** A longer result is content, not a complaint. */
const SHORT_RESULT = 1_500;
const SHORT_ANSWER = 200;
/** The number of complaining lines that are compared. */
const LINES = 12;
/** Errors stand at the head, or at the end of a traceback. */
const HEAD = 4_096;

/** Matches a line about a failure. */
const complaint = new RegExp(
  [
    "error|exception|fail|not found|no such|invalid|denied|cannot|unable|refused|timed? ?out|unauthori|forbidden",
    "missing|unknown|undefined|fatal|unexpected|required|reject",
    "n(?:o|')t (?:allowed|permitted|supported|available|exist)",
  ].join("|"),
  "i",
);

/**
 * Matches the beginning of a short result that is a failure without a status. A file name like `error.ts` does not
 * match.
 */
const beginsWithComplaint = new RegExp(
  [
    /^\W*(?:[\w. ]*(?:error|exception)\b\s*[:(!\]]|traceback \(|(?:fatal|failed|failure)\b\s*[:!])/,
    /^[^\n]{0,80}: (?:command not found|no such file|permission denied)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

const failureField = /"error"\s*:\s*["{]|"(?:success|ok)"\s*:\s*false/i;
const exitCode = /\bexit(?:ed)?(?: with)?(?: code| status)[: ]+(?!0\b)\d+\W*$/i;

/** Whether a call failed: by its status, or by the text of a short result. */
export function isFailed(status: Status, text: string): boolean {
  if (status !== "ok") return true;
  if (text.length > SHORT_RESULT) return false;
  return beginsWithComplaint.test(text.trim()) || exitCode.test(text) || failureField.test(text);
}

/** The words of the complaining lines, without digits; of the whole text when no line complains. */
export function failureWords(text: string): Sketch {
  const lines = headAndTail(text, HEAD)
    .split("\n")
    .filter((line) => complaint.test(line))
    .slice(0, LINES)
    .map((line) => line.slice(0, 400));
  const words = wordSet();
  collectWords(lines.length > 0 ? lines.join("\n") : text.slice(0, 2_048), words, false);
  return sketchOf(words);
}

/** Whether a text has no content but, perhaps, exit code 1. */
export function saysExitCodeOne(text: string): boolean {
  if (text.length > SHORT_ANSWER) return false;
  return (text.toLowerCase().match(/[a-z]+|\d+/g) ?? []).every((word) => exitWords.has(word));
}

const exitWords: ReadonlySet<string> = new Set(
  "1 command process failed finished exit exited with return returned returncode code status error no output"
    .concat(" stdout stderr")
    .split(" "),
);

/** Whether a short answer says that there is nothing. */
export function saysNothing(text: string): boolean {
  return text.length < SHORT_ANSWER && (nothing.test(text) || !/[\p{L}\d]/u.test(text));
}

const nothing = new RegExp(
  [
    "\\b(?:no|not|none|nothing|null|empty|never|cannot|unknown|unavailable|0 \\w+)\\b",
    "\\b(?:kein\\w*|nicht\\w*|aucun\\w*|ning[uú]n\\w*|não|нет|не)\\b",
    '(?:total|count|results?)"?\\s*[:=]\\s*(?:0|\\[\\])',
    "没有|未找到",
  ].join("|"),
  "iu",
);

/** The type of failure, if it is one with an advice of its own. */
export function complaintOf(text: string): Complaint | undefined {
  const head = text.slice(0, 2_048);
  return complaints.find(([, pattern]) => pattern.test(head))?.[0];
}

const complaints: readonly (readonly [Complaint, RegExp])[] = [
  ["authentication", /\b40[13]\b|unauthori|forbidden|authenticat|credential|api key|token (?:has )?expired/i],
  ["rate-limit", /\b(?:429|50[234])\b|too many requests|rate.?limit|overloaded|throttl|quota|unavailable/i],
  ["timeout", /timed? ?out/i],
  ["edit-mismatch", /no match|not found in|not match|hunk failed|not unique|old_?string/i],
  [
    "absent",
    /command not found|\bnot found\b(?! in)|no such (?:file|command|table)|no module named|not installed|n[o']t exist/i,
  ],
];
