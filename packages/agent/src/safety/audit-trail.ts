import type { GateDecision, GateLesson } from "../gate/gate.ts";
import type { AuditDecision, AuditRow } from "../protocol/audit.ts";
import type { Clock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { GateReasoning } from "../protocol/gate-reasoning.ts";
import { confidenceAt, type Lesson, type NewLesson } from "../protocol/lesson.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import type { Approval, RunRef } from "../protocol/run.ts";
import { shortLine } from "../protocol/short-line.ts";
import type { Redact } from "../secrets/redact.ts";
import type { LessonStore } from "../stores/stores.ts";
import { type CallShape, callShape } from "./call-shape.ts";
import { isCorrection } from "./correction.ts";
import { inputSummary } from "./input-summary.ts";
import { newLesson } from "./new-lesson.ts";
import { type Finding, outcomeOf, type UserAnswer } from "./outcome.ts";
import { withLessons } from "./stricter-decision.ts";

/**
 * The audit trail of a run, and what is learned from it. The only code that adds rows. The loop passes each decision,
 * the user's answer, the result, and what the user says afterwards.
 */
export interface AuditTrail {
  /** Asks the gate by `decide` with the lessons about such calls. Returns its decision, perhaps made stricter. */
  decide(call: CallPart, decide: (lessons: readonly GateLesson[]) => Promise<GateDecision>): Promise<GateDecision>;
  /** The guardian or a guard refused a call; the gate was not asked. */
  refused(call: CallPart, by: "guardian" | "guard", reason: string): void;
  /** The gate denied a call that it had allowed before: an earlier call of the same reply changed what it does. */
  denied(call: CallPart, decision: GateDecision): void;
  answered(callId: string, approval: Approval): Promise<void>;
  finished(results: readonly CallResult[]): void;
  /** The user sent a message at the end of a turn. */
  steered(message: string): void;
}

type CallResult = Pick<ResultMessage, "callId" | "status" | "content">;

export interface AuditTrailOptions extends RunRef {
  readonly workspace: string;
  /** Whether a user can be asked. */
  readonly canAsk: boolean;
  readonly clock: Pick<Clock, "now" | "newId">;
  readonly redact: Redact;
  readonly lessons: Pick<LessonStore, "relevant" | "noteApplied" | "weaken">;
  readonly emit: (event: Extract<AgentEventBody, { readonly type: "LessonLearned" }>) => void;
  /** Rows and lessons are written with the next commit. */
  readonly writer: { addAudit(row: AuditRow): void; addLesson(lesson: NewLesson): void };
}

const MAX_REASON = 400;
const MAX_LESSONS = 5;
/** Results after which an objection of the user is still about the call. */
const MAX_LATER_RESULTS = 1;

export function createAuditTrail(options: AuditTrailOptions): AuditTrail {
  const { sessionId, runId, workspace, canAsk, clock, redact, lessons: store, emit, writer } = options;
  const openCalls = new Map<string, OpenCall>();
  /** The last call that changed something, and how many calls had results since. */
  let lastChange: { readonly call: OpenCall; laterResults: number } | undefined;

  const rowOf = (callId: string) => ({ at: clock.now(), sessionId, runId, callId });

  function shortReasoning({ verdict, reason, model }: GateReasoning): NonNullable<AuditDecision["reasoning"]> {
    return {
      verdict,
      reason: shortLine(redact(reason), MAX_REASON),
      ...(model === undefined ? {} : { model }),
    };
  }

  function addDecision(
    call: CallPart,
    by: AuditDecision["by"],
    { decision, shape, strictIds = [] }: NewDecision,
  ): void {
    const { principles = [], patterns = [], lessons = [], writtenFiles = [], rule, tier, reasoning } = decision;
    const input = inputSummary(call, redact);
    writer.addAudit({
      type: "decision",
      id: clock.newId("aud"),
      ...rowOf(call.id),
      tool: call.tool,
      input,
      by,
      ...(tier === undefined ? {} : { tier }),
      decision: decision.decision,
      reason: shortLine(redact(decision.reason), MAX_REASON),
      ...(principles.length === 0 ? {} : { principles }),
      ...(patterns.length === 0 ? {} : { patterns }),
      ...(rule === undefined ? {} : { rule }),
      ...(lessons.length === 0 ? {} : { lessons }),
      ...(typeof reasoning?.reason === "string" ? { reasoning: shortReasoning(reasoning) } : {}),
      ...(writtenFiles.length === 0 ? {} : { writtenFiles: writtenFiles.map((path) => redact(path)) }),
    });
    openCalls.set(call.id, { callId: call.id, by, decision, input, shape, strictIds });
  }

  function addOutcome({ callId, shape, decision: { tier } }: OpenCall, finding: Finding, words?: string) {
    const { harm: _, ...outcome } = finding;
    writer.addAudit({ type: "outcome", ...rowOf(callId), ...outcome });
    const lesson = newLesson({
      at: clock.now(),
      sessionId,
      workspace,
      shape,
      finding,
      redact,
      ...(tier === undefined ? {} : { tier }),
      ...(words === undefined ? {} : { words }),
    });
    if (lesson === undefined) return;
    writer.addLesson(lesson);
    emit({ type: "LessonLearned", action: lesson.action, rule: lesson.rule });
  }

  function finish({ callId, status, content }: CallResult): void {
    const openCall = openCalls.get(callId);
    openCalls.delete(callId);
    if (lastChange !== undefined) lastChange.laterResults += 1;
    if (openCall === undefined) {
      // The decision was made by a process that crashed, or there was none: then the row belongs to nothing.
      if (status === "interrupted")
        writer.addAudit({ type: "outcome", ...rowOf(callId), outcome: "unknown", reason: "The process ended." });
      return;
    }
    const { by, decision, input, shape, answer } = openCall;
    const finding = outcomeOf({
      by,
      ...decision,
      input,
      action: shape.action,
      ...(answer === undefined ? {} : { answer }),
      result: { status, content },
      redact,
    });
    addOutcome(openCall, finding, answer?.isAllowed === false ? answer.why : undefined);
    const isExecuted = status !== "denied" && (decision.tier ?? 0) >= 1;
    if (isExecuted) lastChange = { call: openCall, laterResults: 0 };
  }

  return {
    async decide(call, decide) {
      const shape = callShape(call, workspace);
      const now = clock.now();
      const lessons = await store.relevant(shape.action, { now, limit: MAX_LESSONS });
      const answer = await decide(lessons.map((lesson) => gateLesson(lesson, now)));
      const applied = withLessons(answer, lessons, { now, workspace, canAsk, isSpecific: shape.isSpecific });
      const strictIds = applied.isStricter ? applied.appliedIds : [];
      addDecision(call, "gate", { decision: applied.decision, shape, strictIds });
      if (applied.appliedIds.length > 0) await store.noteApplied(applied.appliedIds, now).catch(countIsLost);
      return applied.decision;
    },
    refused(call, by, reason) {
      addDecision(call, by, { decision: { decision: "deny", reason }, shape: callShape(call, workspace) });
    },
    denied(call, decision) {
      addDecision(call, "gate", { decision, shape: callShape(call, workspace) });
    },
    async answered(callId, { isAllowed, isUnanswered, reason, words }) {
      writer.addAudit({
        type: "approval",
        ...rowOf(callId),
        isAllowed,
        ...(isUnanswered === undefined ? {} : { isUnanswered }),
        ...(reason === undefined ? {} : { reason: shortLine(redact(reason), MAX_REASON) }),
      });
      const openCall = openCalls.get(callId);
      if (openCall === undefined) return;
      openCalls.set(callId, {
        ...openCall,
        answer: {
          isAllowed,
          ...(isUnanswered === undefined ? {} : { isUnanswered }),
          ...(typeof words === "string" && words.trim() !== "" ? { why: words } : {}),
        },
      });
      if (isAllowed && openCall.strictIds.length > 0) await store.weaken(openCall.strictIds).catch(countIsLost);
    },
    finished(results) {
      for (const result of results) finish(result);
    },
    steered(message) {
      if (lastChange === undefined || lastChange.laterResults > MAX_LATER_RESULTS || !isCorrection(message)) return;
      const finding = { outcome: "corrected", reason: "The user objected after it." } as const;
      addOutcome(lastChange.call, finding, message);
      lastChange = undefined;
    },
  };
}

/** A count of a lesson may be lost: it does not end the run. A store that stays broken fails at the next commit. */
function countIsLost(): void {}

type Decided = Omit<GateDecision, "tier"> & { readonly tier?: GateDecision["tier"] };

/** A call between its decision and its result. */
interface OpenCall {
  readonly callId: string;
  readonly by: AuditDecision["by"];
  readonly decision: Decided;
  readonly input: string;
  readonly shape: CallShape;
  /** The lessons that made the decision stricter. */
  readonly strictIds: readonly string[];
  readonly answer?: UserAnswer;
}

interface NewDecision extends Pick<OpenCall, "decision" | "shape"> {
  readonly strictIds?: readonly string[];
}

function gateLesson(lesson: Lesson, now: number): GateLesson {
  const { id, principle, rule, action } = lesson;
  return { id, principle, rule, action, confidence: confidenceAt(lesson, now) };
}
