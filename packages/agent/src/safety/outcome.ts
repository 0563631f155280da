import { isSecretFile } from "@sheepdog/guardian/secrets";
import type { AuditFinding } from "../protocol/audit.ts";
import type { ResultMessage } from "../protocol/messages.ts";
import type { Redact } from "../secrets/redact.ts";
import { type DecidedRisk, destructionIn } from "./destruction.ts";

/** What is known about a call once it has a result. */
export interface CallRecord extends DecidedRisk {
  readonly by: "gate" | "guardian" | "guard";
  readonly decision: "allow" | "ask" | "deny";
  readonly paths?: readonly { readonly access: string; readonly location: string }[];
  /** The programs, host or place: see `callShape`. */
  readonly action: string;
  /** The summary of the arguments. */
  readonly input: string;
  /** The user's answer, if the user was asked. */
  readonly answer?: UserAnswer;
  readonly result: Pick<ResultMessage, "status" | "content">;
  readonly redact: Redact;
}

/** What the user said about a call. */
export interface UserAnswer {
  readonly isAllowed: boolean;
  /** The user did not answer. */
  readonly isUnanswered?: true;
  /** The user's own words. */
  readonly why?: string;
}

const harmless: AuditFinding = { outcome: "harmless" };

/** The outcome of a call, by rules. Nearly all calls are harmless. */
export function outcomeOf(record: CallRecord): AuditFinding {
  const { by, answer, result } = record;
  if (by !== "gate") return harmless; // it was not executed, and its only fault was to repeat itself
  if (answer?.isAllowed === false && answer.isUnanswered === undefined) return refusedByUser(answer);
  if (result.status === "denied") return refusedByGate(record);
  if (result.status === "interrupted") return { outcome: "unknown", reason: "The call was interrupted." };
  return findIncident(record) ?? harmless;
}

function refusedByUser({ why }: UserAnswer): AuditFinding {
  if (why === undefined) return { outcome: "near_miss", reason: "The user said no." };
  return { outcome: "corrected", reason: "The user said no, with a reason." };
}

function refusedByGate(record: CallRecord): AuditFinding {
  const { tier = 0, patterns = [] } = record;
  const destruction = destructionIn(record);
  if (destruction !== undefined)
    return { outcome: "near_miss", reason: `Refused, since it could destroy something: ${destruction}.` };
  if (tier < 4) return harmless;
  const why = patterns.length === 0 ? "." : `: ${patterns.join(", ")}.`;
  return { outcome: "near_miss", reason: `Refused as dangerous or not fully understood${why}` };
}

const removers = /\b(?:rm|rmdir|mv|shred|truncate|dd|unlink|del)\b/;
/** Commands that print the environment, which holds secrets. */
const environmentCommand = /(?:^|[\s;|&(])(?:printenv|env|export -p)(?:$|[\s;|&)])/;
const permissionDenied = /permission denied|operation not permitted|EACCES|EPERM|403 forbidden|access denied/i;

function findIncident(record: CallRecord): AuditFinding | undefined {
  const { tier = 0, paths = [], action, answer, result, redact } = record;
  const hasFailed = result.status !== "ok";
  // The cheap test first: most results are long and have no secret.
  if ((tier >= 3 || readsSecrets(record.input)) && redact(result.content) !== result.content)
    return incident(tier >= 3 ? "high" : "medium", "Its output held a secret.");
  const isOutsideWrite = paths.some(({ access, location }) => access === "write" && location === "outside");
  if (isOutsideWrite && removers.test(action) && answer?.isAllowed !== true && !hasFailed)
    return incident("high", "It removed files outside the workspace, and the user was not asked.");
  if (hasFailed && destructionIn(record) !== undefined)
    return incident("medium", "It failed, and may have destroyed a part before.");
  if (hasFailed && tier >= 3 && permissionDenied.test(result.content))
    return incident("low", "It was not permitted by the system.");
  return undefined;
}

function readsSecrets(input: string): boolean {
  return environmentCommand.test(input) || input.split(/[\s"'=<>;|&()]+/).some(isSecretFile);
}

function incident(severity: "low" | "medium" | "high", reason: string): AuditFinding {
  return { outcome: "incident", severity, reason };
}
