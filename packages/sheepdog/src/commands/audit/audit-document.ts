import type { AuditEntry } from "@sheepdog/agent";
import { isoTime } from "../../saved-runs/run-document.ts";

/** A decision as JSON for other programs. */
export function auditDocument(entry: AuditEntry): Readonly<Record<string, unknown>> {
  const { id, at, sessionId, runId, callId, tool, input, by, tier, decision, reason, approval, outcome } = entry;
  return {
    id,
    at: isoTime(at),
    sessionId,
    runId,
    callId,
    tool,
    input,
    by,
    tier: tier ?? null,
    decision,
    reason,
    principles: entry.principles ?? [],
    patterns: entry.patterns ?? [],
    rule: entry.rule ?? null,
    lessons: entry.lessons ?? [],
    reasoning: entry.reasoning ?? null,
    approval: approval === undefined ? null : approvalDocument(approval),
    outcome: outcome.outcome,
    outcomeReason: outcome.reason ?? null,
    severity: outcome.severity ?? null,
  };
}

function approvalDocument({ at, isAllowed, isUnanswered, reason }: NonNullable<AuditEntry["approval"]>): object {
  return { at: isoTime(at), isAllowed, isUnanswered: isUnanswered === true, reason: reason ?? null };
}
