import type { GateReasoning } from "./gate-reasoning.ts";

/** What became of a call after the decision about it. `unknown`: no outcome is recorded, for example after a crash. */
export const auditOutcomes = ["harmless", "near_miss", "incident", "corrected", "unknown"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export type AuditSeverity = "low" | "medium" | "high";

/** The call that a row is about. */
interface AuditCall {
  readonly at: number;
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
}

/** A decision about a call, as it is written. Nothing in it has secrets or control characters. */
export interface AuditDecision extends AuditCall {
  readonly type: "decision";
  readonly id: string;
  readonly tool: string;
  /** A summary of the arguments, at most 500 characters. */
  readonly input: string;
  /** Who decided: the gate, the guardian, or a guard of the runtime's options. */
  readonly by: "gate" | "guardian" | "guard";
  /** Absent if the gate was not asked. */
  readonly tier?: number;
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  readonly principles?: readonly AuditPrinciple[];
  readonly patterns?: readonly string[];
  /** The rule of the configuration that decided. */
  readonly rule?: string;
  /** Ids of the lessons that were known about such calls. */
  readonly lessons?: readonly string[];
  /** What a model said about the call, if it was asked. */
  readonly reasoning?: Pick<GateReasoning, "verdict" | "reason" | "model">;
  /** The files that the call would write, as absolute paths. A later run of the session knows them from here. */
  readonly writtenFiles?: readonly string[];
}

/** What a principle of the gate said. */
interface AuditPrinciple {
  readonly principle: string;
  readonly verdict: string;
  readonly reason: string;
}

/** The answer of the user to a decision "ask". */
export interface AuditApproval extends AuditCall {
  readonly type: "approval";
  readonly isAllowed: boolean;
  /** Set if there was no answer, for example in time. */
  readonly isUnanswered?: true;
  readonly reason?: string;
}

/** The outcome of a call. A later row about the same call replaces it. */
export interface AuditResult extends AuditCall, AuditFinding {
  readonly type: "outcome";
}

/** An outcome, and why it is one. */
export interface AuditFinding {
  readonly outcome: AuditOutcome;
  readonly reason?: string;
  /** Of an incident. */
  readonly severity?: AuditSeverity;
}

/** A row of the audit trail. Rows are only ever added: an approval and an outcome belong to the last decision. */
export type AuditRow = AuditDecision | AuditApproval | AuditResult;

/** A decision as it is read, with what is known about it by now. */
export interface AuditEntry extends Omit<AuditDecision, "type"> {
  /** Grows with every row of the store. */
  readonly seq: number;
  readonly approval?: Pick<AuditApproval, "at" | "isAllowed" | "isUnanswered" | "reason">;
  readonly outcome: AuditFinding;
}
