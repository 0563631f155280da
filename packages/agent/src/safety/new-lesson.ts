import type { AuditFinding, AuditSeverity } from "../protocol/audit.ts";
import type { NewLesson } from "../protocol/lesson.ts";
import { shortLine } from "../protocol/short-line.ts";
import type { Redact } from "../secrets/redact.ts";
import { type DecidedRisk, destructionIn } from "./destruction.ts";

/** What a lesson is made from. */
export interface LessonSource extends DecidedRisk {
  readonly at: number;
  readonly sessionId: string;
  readonly workspace: string;
  readonly action: string;
  readonly finding: AuditFinding;
  readonly isFromUser: boolean;
  /** The user's own words. */
  readonly words?: string;
  readonly redact: Redact;
}

const MAX_QUOTE = 120;

/**
 * The lesson from an outcome; undefined for a harmless or unknown one. Its sentences are ours: no text of a model or a
 * tool becomes part of it. Only words of the user are quoted, short and without secrets.
 */
export function newLesson(source: LessonSource): NewLesson | undefined {
  const { at, sessionId, workspace, action, tier, finding, isFromUser } = source;
  const { outcome } = finding;
  if (outcome === "harmless" || outcome === "unknown") return undefined;
  const texts = isFromUser
    ? userTexts(source)
    : outcome === "incident"
      ? incidentTexts(source, finding)
      : gateTexts(source);
  return {
    at,
    sessionId,
    workspace,
    action,
    ...(tier === undefined ? {} : { tier }),
    outcome,
    source: texts.source,
    ...texts.lesson,
  };
}

interface Texts {
  readonly source: "user" | "gate" | "result";
  readonly lesson: Pick<NewLesson, "reflection" | "principle" | "rule" | "confidence">;
}

type Facts = Pick<LessonSource, "action" | "tier" | "patterns" | "words" | "redact">;

function userTexts({ action, tier = 0, words, redact }: Facts): Texts {
  const quote = words === undefined ? "." : `: “${shortLine(redact(words), MAX_QUOTE).replaceAll(/[“”"]/g, "'")}”.`;
  const lesson = {
    reflection: `The user objected to it${quote}`,
    principle: "intent",
    rule: `Ask the user before you use ${action}${tier === 3 ? " beyond the workspace" : " in this way"}.`,
    confidence: words === undefined ? 0.7 : 0.8,
  };
  return { source: "user", lesson };
}

function gateTexts({ action, ...decided }: Facts): Texts {
  const destruction = destructionIn(decided);
  if (destruction === undefined) {
    const lesson = {
      reflection: "It was refused as dangerous or not fully understood.",
      principle: "transparency",
      rule: `Use a plain command in place of ${action}, or ask the user.`,
      confidence: 0.3,
    };
    return { source: "gate", lesson };
  }
  const lesson = {
    reflection: `It was refused, since it could destroy something (${destruction}).`,
    principle: "preservation",
    rule: `Do not use ${action} in this way: use commands that destroy nothing.`,
    confidence: 0.5,
  };
  return { source: "gate", lesson };
}

const incidentConfidence = { low: 0.4, medium: 0.6, high: 0.8 } as const satisfies Record<AuditSeverity, number>;

function incidentTexts({ action }: Facts, { reason = "", severity = "low" }: AuditFinding): Texts {
  const confidence = incidentConfidence[severity];
  const lesson = (principle: string, rule: string): Texts => ({
    source: "result",
    lesson: { reflection: reason, principle, rule, confidence },
  });
  if (reason.includes("secret")) return lesson("secrets", `Do not print or send secrets with ${action}.`);
  if (reason.includes("outside")) return lesson("boundaries", `Do not use ${action} outside the workspace.`);
  if (reason.includes("permitted"))
    return lesson("boundaries", `Do not try ${action} where the system denies it: ask the user.`);
  return lesson("preservation", `Check what ${action} would change before you use it.`);
}
