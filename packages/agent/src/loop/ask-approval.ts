import { untilAborted } from "../async/until-aborted.ts";
import { approvalText } from "../gate/decision-sentences.ts";
import type { GateDecision } from "../gate/gate.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { Approval } from "../protocol/run.ts";
import type { AgentRun } from "./agent-run.ts";
import { commitIntents } from "./commit-turn.ts";
import { reasonForNoAnswer } from "./no-answer.ts";

/** Asks the user to approve a call that the gate does not allow by itself, and records the answer. */
export async function askApproval(run: AgentRun, call: CallPart, decision: GateDecision): Promise<Approval> {
  const reason = approvalText(decision);
  const { setup, guard, events } = run;
  const { approve } = setup;
  const { id: callId, tool, input } = call;
  if (approve === undefined) return { isAllowed: false, reason: `${reason} There is no user to approve it.` };
  // A resumed process asks again.
  await commitIntents(
    run,
    [{ callId, tool, state: "awaiting-approval" }],
    [
      { type: "ApprovalRequested", callId, tool, reason, input },
      { type: "StateChanged", state: "waiting_for_input" },
    ],
  );
  guard.observe({ type: "waiting", for: "approval" });
  let approval: Approval;
  try {
    const answer = await untilAborted(approve(call, reason, guard.signal, decision.suggestion), guard.signal);
    approval = answer === undefined || answer === null ? noAnswer : { ...answer, isAllowed: answer.isAllowed === true };
  } catch (error) {
    approval = { ...noAnswer, reason: reasonForNoAnswer(guard.signal, error) };
  }
  await run.audit.answered(callId, approval);
  events.emit({
    type: "ApprovalResolved",
    callId,
    isAllowed: approval.isAllowed,
    ...(approval.reason === undefined ? {} : { reason: approval.reason }),
  });
  events.emit({ type: "StateChanged", state: "running" });
  return approval.isAllowed ? approval : { isAllowed: false, reason: approval.reason ?? "the user said no" };
}

const noAnswer: Approval = { isAllowed: false, isUnanswered: true, reason: "there was no answer" };
