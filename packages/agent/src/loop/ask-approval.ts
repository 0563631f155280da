import { answerInTime, late } from "../async/answer-timeout.ts";
import { approvalText } from "../gate/decision-sentences.ts";
import type { GateDecision } from "../gate/gate.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { Approval } from "../protocol/run.ts";
import type { AgentRun, RunSetup } from "./agent-run.ts";
import { commitIntents } from "./commit-turn.ts";
import { reasonForNoAnswer } from "./no-answer.ts";

/** Asks the user to approve a call that the gate does not allow by itself, and records the answer. */
export async function askApproval(run: AgentRun, call: CallPart, decision: GateDecision): Promise<Approval> {
  const reason = approvalText(decision);
  const { setup, guard, events } = run;
  const { approve, answerTimeoutMs, clock } = setup;
  const { id: callId, tool, input } = call;
  if (approve === undefined) return { isAllowed: false, reason: `${reason} There is no user to approve it.` };
  // A resumed process asks again.
  await commitIntents(
    run,
    [{ callId, tool, state: "awaiting-approval" }],
    [
      { type: "ApprovalRequested", callId, tool, reason, input, ...answerBy(setup) },
      { type: "StateChanged", state: "waiting_for_input" },
    ],
  );
  guard.observe({ type: "waiting", for: "approval" });
  let approval: Approval;
  try {
    const answer = await answerInTime((signal) => approve(call, reason, signal, decision.suggestion), {
      timeoutMs: answerTimeoutMs,
      signal: guard.signal,
      clock,
    });
    approval = approvalOf(answer, answerTimeoutMs);
  } catch (error) {
    approval = { ...noAnswer, reason: reasonForNoAnswer(guard.signal, error) };
  }
  await run.audit.answered(callId, approval);
  events.emit({
    type: "ApprovalResolved",
    callId,
    isAllowed: approval.isAllowed,
    ...(approval.reason === undefined ? {} : { reason: approval.reason }),
    ...(approval.by === undefined ? {} : { by: approval.by }),
  });
  events.emit({ type: "StateChanged", state: "running" });
  return approval.isAllowed ? approval : { isAllowed: false, reason: approval.reason ?? "the user said no" };
}

/** The time of the event that asks: when the run continues without an answer. */
export function answerBy({ answerTimeoutMs, clock }: Pick<RunSetup, "answerTimeoutMs" | "clock">): {
  readonly answerBy?: number;
} {
  return answerTimeoutMs === undefined ? {} : { answerBy: clock.now() + answerTimeoutMs };
}

function approvalOf(answer: Approval | typeof late | null | undefined, timeoutMs = 0): Approval {
  if (answer === undefined || answer === null) return noAnswer;
  if (answer === late) return { ...noAnswer, reason: `there was no answer within ${Math.round(timeoutMs / 1_000)} s` };
  return { ...answer, isAllowed: answer.isAllowed === true };
}

const noAnswer: Approval = { isAllowed: false, isUnanswered: true, reason: "there was no answer" };
