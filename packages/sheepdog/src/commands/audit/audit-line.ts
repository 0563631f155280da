import type { AuditEntry } from "@sheepdog/agent";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import type { Style } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";

const MAX_INPUT = 80;
const MAX_REASON = 160;

export interface LineFormat {
  readonly style: Style;
  readonly now: number;
  /** Whether the decisions are followed: then an outcome that is unknown may still come, and is left out. */
  readonly isFollowed?: boolean;
}

/** A decision on one line: time, tier, decision, tool, input, reason, outcome. */
export function auditLine(entry: AuditEntry, { style, now, isFollowed = false }: LineFormat): string {
  const { at, tier, by, tool, input, reason } = entry;
  const cells = [
    style.dim(timeText(at, now)),
    tier === undefined ? by : `T${tier}`,
    decisionText(entry, style),
    style.bold(plainText(tool)),
    cut(plainText(input), MAX_INPUT),
    style.dim(cut(plainText(reason), MAX_REASON)),
    isFollowed && entry.outcome.outcome === "unknown" ? "" : outcomeText(entry, style),
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}

function timeText(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const time = new Date(at).toLocaleTimeString("en-GB");
  return isToday ? time : `${shortDate(at, now)} ${time}`;
}

function decisionText({ decision, approval }: AuditEntry, style: Style): string {
  if (decision === "allow") return "allow";
  if (decision === "deny") return style.red("deny");
  if (approval === undefined) return style.yellow("ask");
  const answer = approval.isAllowed ? "yes" : approval.isUnanswered ? "no answer" : "no";
  return style.yellow(`ask: ${answer}`);
}

function outcomeText({ outcome: { outcome, reason, severity } }: AuditEntry, style: Style): string {
  if (outcome === "harmless" || outcome === "unknown") return style.dim(outcome);
  const name = [severity, outcome.replace("_", " ")].filter((part) => part !== undefined).join(" ");
  const text = reason === undefined ? name : `${name}: ${plainText(reason)}`;
  return outcome === "incident" ? style.red(text) : style.yellow(text);
}
