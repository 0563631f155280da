import type { AuditApproval, AuditDecision, AuditEntry, AuditFinding, AuditResult } from "../protocol/audit.ts";
import type { AuditFilter, SavedAuditRow } from "./stores.ts";

/**
 * Joins rows to entries. `newestFirst` is read until there are enough entries: what belongs to a decision comes after
 * it in the trail, so it is known before the decision is reached.
 */
export function auditEntries(newestFirst: Iterable<SavedAuditRow>, filter: AuditFilter = {}): readonly AuditEntry[] {
  const limit = filter.limit ?? Number.POSITIVE_INFINITY;
  const followUps = new Map<string, FollowUps>();
  const entries: AuditEntry[] = [];
  if (limit < 1) return entries;
  for (const { seq, row } of newestFirst) {
    const key = JSON.stringify([row.sessionId, row.callId]);
    const known = followUps.get(key) ?? {};
    if (row.type === "decision") {
      followUps.delete(key); // what is older belongs to an earlier decision about the call
      const entry = entryOf(seq, row, known);
      if (matches(entry, filter) && entries.push(entry) >= limit) break;
    } else followUps.set(key, row.type === "approval" ? { approval: row, ...known } : { result: row, ...known });
  }
  return entries;
}

interface FollowUps {
  readonly approval?: AuditApproval;
  readonly result?: AuditResult;
}

function entryOf(
  seq: number,
  { type: _type, ...decision }: AuditDecision,
  { approval, result }: FollowUps,
): AuditEntry {
  return {
    ...decision,
    seq,
    ...(approval === undefined ? {} : { approval: answerOf(approval) }),
    outcome: result === undefined ? { outcome: "unknown" } : findingOf(result),
  };
}

function answerOf({ at, isAllowed, isUnanswered, reason }: AuditApproval): NonNullable<AuditEntry["approval"]> {
  return {
    at,
    isAllowed,
    ...(isUnanswered === undefined ? {} : { isUnanswered }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function findingOf({ outcome, reason, severity }: AuditResult): AuditFinding {
  return {
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(severity === undefined ? {} : { severity }),
  };
}

function matches(entry: AuditEntry, filter: AuditFilter): boolean {
  const { sessionId, runId, tool, decision, minTier, outcome, since, after } = filter;
  return (
    (sessionId === undefined || entry.sessionId === sessionId) &&
    (runId === undefined || entry.runId === runId) &&
    (tool === undefined || entry.tool === tool) &&
    (decision === undefined || entry.decision === decision) &&
    (minTier === undefined || (entry.tier ?? -1) >= minTier) &&
    (outcome === undefined || entry.outcome.outcome === outcome) &&
    (since === undefined || entry.at >= since) &&
    (after === undefined || entry.seq > after)
  );
}
