import { noAnswer } from "./no-answer.ts";

/** What a typed line says about a call. `unclear`: it is no answer, and `problem` says what to type. */
export type ApprovalAnswer =
  | { readonly type: "allow"; readonly isAlways: boolean }
  /** Show the rule that would allow such calls. */
  | { readonly type: "rule" }
  | { readonly type: "refuse"; readonly why: string }
  | { readonly type: "unclear"; readonly problem: string };

/** Columns. Below this width, the question is shorter. */
const NARROW = 80;

/** Asks for the answer that `readApprovalAnswer` reads. `hasRule`: a rule can be offered. */
export function approvalQuestion(columns: number, hasRule = false): string {
  const always = columns < NARROW ? "always" : "always exactly this";
  const rule = hasRule ? "r = a rule, " : "";
  return `Allow? y = yes, a = ${always}, ${rule}n = no, or type why not; then Enter:`;
}

/**
 * Reads the answer to an approval. Only a word that stands alone allows a call; a sentence refuses it and is the
 * reason. "yes, but …" is unclear, and so is a single word such as "ok".
 */
export function readApprovalAnswer(line: string, hasRule = false): ApprovalAnswer {
  if (/^(?:y|yes)$/i.test(line)) return { type: "allow", isAlways: false };
  if (/^(?:a|always)$/i.test(line)) return { type: "allow", isAlways: true };
  if (hasRule && /^(?:r|rule)$/i.test(line)) return { type: "rule" };
  const [, why] = /^(?:n(?![^\s,.:;-])|no(?=$|[,.:;-]))[\s,.:;-]*(.*)$/i.exec(line) ?? [];
  if (why !== undefined) return { type: "refuse", why };
  if (/^(?:y|yes|always)\b/i.test(line)) return unclear("To allow it, type only y.");
  if (!line.includes(" ")) return unclear(noAnswer(line));
  return { type: "refuse", why: line };
}

function unclear(what: string): ApprovalAnswer {
  return { type: "unclear", problem: `${what} Type y, a, n, or a few words why not:` };
}
