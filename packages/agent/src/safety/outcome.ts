import { isSecretFile } from "@sheepdog/guardian/secrets";
import type { AuditFinding, AuditSeverity } from "../protocol/audit.ts";
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

/** The harm that a call did. */
export type Harm = "secret" | "files outside" | "part destroyed" | "not permitted";

/** An outcome, and for a lesson what the harm was. */
export interface Finding extends AuditFinding {
  readonly harm?: Harm;
}

/** What the user said about a call. */
export interface UserAnswer {
  readonly isAllowed: boolean;
  /** The user did not answer. */
  readonly isUnanswered?: true;
  /** The user's own words. */
  readonly why?: string;
}

const harmless: Finding = { outcome: "harmless" };

/** The outcome of a call, by rules. Nearly all calls are harmless. */
export function outcomeOf(record: CallRecord): Finding {
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

/** In a command; a file may have such a name. */
const removers = /: .*\b(?:rm|rmdir|mv|shred|truncate|dd|unlink|del)\b/;
/** Commands that print the environment, which holds secrets. */
const environmentCommand = /(?:^|[\s;|&(])(?:printenv|env|export -p)(?:$|[\s;|&)])/;
const permissionDenied = /permission denied|operation not permitted|EACCES|EPERM|403 forbidden|access denied/i;

function findIncident(record: CallRecord): Finding | undefined {
  const { tier = 0, paths = [], action, answer, result, redact } = record;
  const hasFailed = result.status !== "ok";
  // The cheap test first: most results are long and have no secret.
  if ((tier >= 3 || readsSecrets(record.input)) && redact(result.content) !== result.content)
    return incident("secret", tier >= 3 ? "high" : "medium", "Its output held a secret.");
  const isOutsideWrite = paths.some(({ access, location }) => access === "write" && location === "outside");
  if (isOutsideWrite && removers.test(action) && answer?.isAllowed !== true && !hasFailed)
    return incident("files outside", "high", "It removed files outside the workspace, and the user was not asked.");
  if (hasFailed && destructionIn(record) !== undefined)
    return incident("part destroyed", "medium", "It failed, and may have destroyed a part before.");
  if (hasFailed && tier >= 3 && permissionDenied.test(result.content))
    return incident("not permitted", "low", "It was not permitted by the system.");
  return undefined;
}

function readsSecrets(input: string): boolean {
  return environmentCommand.test(input) || input.split(/[\s"'=<>;|&()]+/).some(isSecretFile);
}

function incident(harm: Harm, severity: AuditSeverity, reason: string): Finding {
  return { outcome: "incident", harm, severity, reason };
}
