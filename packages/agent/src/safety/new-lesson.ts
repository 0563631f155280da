import type { AuditSeverity } from "../protocol/audit.ts";
import type { NewLesson } from "../protocol/lesson.ts";
import { shortLine } from "../protocol/short-line.ts";
import type { Redact } from "../secrets/redact.ts";
import type { CallShape } from "./call-shape.ts";
import { saysWhy } from "./correction.ts";
import type { Finding, Harm } from "./outcome.ts";

/** What a lesson is made from. */
export interface LessonSource {
  readonly at: number;
  readonly sessionId: string;
  readonly workspace: string;
  readonly shape: CallShape;
  readonly tier?: number;
  readonly finding: Finding;
  /** What the user typed about the call. */
  readonly words?: string;
  readonly redact: Redact;
}

const MAX_QUOTE = 120;
const FROM_WORDS = 0.8;

/**
 * The lesson from what the user typed about a call, or from the harm that it did. Undefined if there was neither, also
 * after a "no" without a reason, and if the call cannot be told from everyday calls. Its sentences are ours: no text of
 * a model or a tool becomes part of it. Only words of the user are quoted, short and without secrets.
 */
export function newLesson(source: LessonSource): NewLesson | undefined {
  const { at, sessionId, workspace, tier, shape, finding } = source;
  const { outcome } = finding;
  const sentences = sentencesOf(source);
  if (!shape.isSpecific || outcome === "harmless" || outcome === "unknown" || sentences === undefined) return undefined;
  const { action } = shape;
  return { at, sessionId, workspace, action, ...(tier === undefined ? {} : { tier }), outcome, ...sentences };
}

type Sentences = Pick<NewLesson, "source" | "reflection" | "principle" | "rule" | "confidence">;

function sentencesOf({ shape: { action }, finding, words, redact }: LessonSource): Sentences | undefined {
  if (words !== undefined && saysWhy(words))
    return {
      source: "user",
      reflection: `The user objected to it: “${shortLine(redact(words), MAX_QUOTE).replaceAll(/[“”"]/g, "'")}”.`,
      principle: "intent",
      rule: `Ask the user before you use ${action}.`,
      confidence: FROM_WORDS,
    };
  const { harm, reason = "", severity = "low" } = finding;
  if (harm === undefined) return undefined;
  const confidence = incidentConfidence[severity];
  return { source: "result", reflection: reason, ...harmRules[harm](action), confidence };
}

const incidentConfidence = { low: 0.4, medium: 0.6, high: 0.8 } as const satisfies Record<AuditSeverity, number>;

const harmRules = {
  secret: (action) => ({ principle: "secrets", rule: `Do not print or send secrets with ${action}.` }),
  "files outside": (action) => ({
    principle: "boundaries",
    rule: `Do not use ${action} outside the workspace.`,
  }),
  "not permitted": (action) => ({
    principle: "boundaries",
    rule: `Do not try ${action} where the system denies it: ask the user.`,
  }),
  "part destroyed": (action) => ({
    principle: "preservation",
    rule: `Check what ${action} would change before you use it.`,
  }),
} as const satisfies Record<Harm, (action: string) => Pick<Sentences, "principle" | "rule">>;
