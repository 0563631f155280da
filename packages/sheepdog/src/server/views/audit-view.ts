import type { AuditEntry } from "@sheepdog/agent";
import type { AuditPage, auditQuerySchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import type { ViewContext } from "../view-context.ts";

/** Decisions about calls, newest first. */
export async function auditView(
  { stores }: Pick<ViewContext, "stores">,
  { run, decision, limit }: z.infer<typeof auditQuerySchema>,
): Promise<AuditPage> {
  const entries = await stores.audit.list({
    limit,
    ...(run === undefined ? {} : { runId: run }),
    ...(decision === undefined ? {} : { decision }),
  });
  return { entries: entries.map(pageEntry) };
}

function pageEntry(entry: AuditEntry): AuditPage["entries"][number] {
  const { id, at, runId, sessionId, tool, input, by, tier, decision, reason, approval, outcome } = entry;
  return {
    id,
    at,
    runId,
    sessionId,
    tool,
    input,
    by,
    tier: tier ?? null,
    decision,
    reason: reason.replace(/\.$/, ""), // the page continues the sentence
    answer: approval === undefined ? null : answerText(approval),
    outcome: outcome.reason === undefined ? outcome.outcome : `${outcome.outcome}: ${outcome.reason}`,
  };
}

function answerText({ isAllowed, isUnanswered, reason }: NonNullable<AuditEntry["approval"]>): string {
  const answer = isUnanswered === true ? "no answer" : isAllowed ? "allowed" : "refused";
  return reason === undefined || reason === "" ? answer : `${answer}: ${reason}`;
}
