import { untilAborted } from "../async/until-aborted.ts";
import { approvalText, refusalText } from "../gate/decision-sentences.ts";
import type { GateDecision, GateLesson } from "../gate/gate.ts";
import { escapeNotices } from "../guard/notice.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import type { Approval } from "../protocol/run.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun } from "./agent-run.ts";
import { askGuards } from "./ask-guards.ts";
import { decideStop } from "./ask-user.ts";
import { commitIntents } from "./commit-turn.ts";
import { withReasoning } from "./gate-reasoning.ts";

/** A call that may be executed. */
interface AdmittedCall {
  readonly call: CallPart;
  readonly tool: Tool;
  readonly leavesSandbox: boolean;
}

/** Every call of a reply is in one of the two lists. */
export interface Admission {
  readonly admitted: readonly AdmittedCall[];
  /** Results in place of refused calls. */
  readonly refused: readonly ResultMessage[];
}

/**
 * Step 9: asks the guardian and the guards about all calls, then the gate about each. A refusal is a result that the
 * model reads.
 */
export async function admitCalls(run: AgentRun, calls: readonly CallPart[]): Promise<Admission> {
  await decideStop(run); // a time limit may have been reached during the reply
  const decisions = run.guard.beforeCalls(calls);
  const warning = await askGuards(
    run,
    calls.filter((_, index) => decisions[index]?.allow === true),
  );
  const admitted: AdmittedCall[] = [];
  const refused: ResultMessage[] = [];
  for (const [index, call] of calls.entries()) {
    const decision = decisions[index];
    if (decision?.allow !== true) {
      refused.push(blockedByGuardian(run, call, decision?.message ?? ""));
      continue;
    }
    const admission = warning === undefined ? await admitCall(run, call) : blockedByGuard(run, call, warning);
    if ("tool" in admission) admitted.push({ call, ...admission });
    else refused.push(refusedResult(run, call, admission));
  }
  return { admitted, refused };
}

/** A call above this tier needs what the sandbox forbids: whoever allows it, allows it outside. */
const highestSandboxedTier = 2;

type Refusal = Pick<ResultMessage, "status" | "content">;

async function admitCall(run: AgentRun, call: CallPart): Promise<Omit<AdmittedCall, "call"> | Refusal> {
  const tool = run.setup.tools.find(call.tool);
  if (tool === undefined || call.input === undefined) return notExecutable(run, call, tool);
  const decided = await askGate(run, call, tool);
  const { instead: _, suggestion: __, ...published } = decided;
  run.events.emit({ ...published, type: "GateDecision", callId: call.id, tool: call.tool });
  const { tier, decision, reason } = decided;
  const leavesSandbox = tier > highestSandboxedTier;
  if (decision === "allow") return { tool, leavesSandbox };
  if (decision === "deny") return deniedByGate(run, call, decided);
  const question = leavesSandbox && tool.isSandboxed === true ? `${reason} It runs outside the sandbox.` : reason;
  const approval = await askUser(run, call, { ...decided, reason: question });
  return approval.isAllowed ? { tool, leavesSandbox } : deniedByGate(run, call, { reason: approval.reason ?? reason });
}

function blockedByGuardian(run: AgentRun, call: CallPart, message: string): ResultMessage {
  emitBlocked(run, call, "guardian", message);
  run.audit.refused(call, "guardian", message);
  return resultMessage(run, call, { status: "denied", content: message });
}

function blockedByGuard(run: AgentRun, call: CallPart, warning: string): Refusal {
  emitBlocked(run, call, "guard", warning);
  run.audit.refused(call, "guard", warning);
  return { status: "denied", content: escapeNotices(warning) };
}

function deniedByGate(run: AgentRun, call: CallPart, denied: Pick<GateDecision, "reason" | "instead">): Refusal {
  const message = refusalText(denied);
  emitBlocked(run, call, "gate", message);
  return { status: "denied", content: message };
}

function emitBlocked(
  { events }: AgentRun,
  { id, tool, input }: CallPart,
  by: "guardian" | "guard" | "gate",
  message: string,
): void {
  events.emit({ type: "ToolBlocked", callId: id, tool, input, by, message });
}

/** The guardian allowed the call, so it gets the result too. */
function refusedResult(run: AgentRun, call: CallPart, refusal: Refusal): ResultMessage {
  const result = resultMessage(run, call, refusal);
  run.guard.afterCalls([result]);
  return result;
}

/** A call to an unknown tool, or with unreadable arguments, is reported like a call that failed at once. */
function notExecutable({ setup, events }: AgentRun, call: CallPart, tool: Tool | undefined): Refusal {
  const { id: callId, tool: name, input, problem } = call;
  const refusal: Refusal =
    tool === undefined
      ? { status: "unknown-tool", content: setup.tools.describeUnknown(name) }
      : { status: "invalid-arguments", content: problem ?? "The arguments are not a JSON object." };
  events.emit({ type: "ToolStart", callId, tool: name, input });
  events.emit({ type: "ToolEnd", callId, tool: name, ...refusal, ms: 0 });
  return refusal;
}

/** The gate's decision, with what the model says about it if the settings want that, recorded in the audit trail. */
export function askGate(run: AgentRun, call: CallPart, tool: Tool): Promise<GateDecision> {
  return run.audit.decide(call, async (lessons) =>
    withReasoning(run, call, await gateAnswer(run, { call, tool, lessons })),
  );
}

interface GateQuestion {
  readonly call: CallPart;
  readonly tool: Tool;
  readonly lessons: readonly GateLesson[];
}

/** The gate's answer. A gate that fails, or does not answer before the run ends, denies. */
async function gateAnswer(run: AgentRun, { call, tool, lessons }: GateQuestion): Promise<GateDecision> {
  const { setup, guard, writtenFiles } = run;
  const { gate, workspace, title: task } = setup;
  const wasWritten = (path: string) => writtenFiles.has(path);
  const isSandboxed = tool.isSandboxed === true;
  const signal = guard.decisionSignal();
  try {
    const context = { workspace, task, wasWritten, isSandboxed, lessons };
    const decision = await untilAborted(gate.decide(call, tool, context), signal);
    if (decision === undefined || decision === null) return denial("there was no answer");
    if (!gateAnswers.includes(decision.decision)) return denial("the gate gave no valid decision");
    return typeof decision.reason === "string" ? decision : { ...decision, reason: "no reason was given" };
  } catch (error) {
    const isUnanswered = signal.aborted && !guard.signal.aborted;
    return denial(isUnanswered ? "there was no answer" : reasonForNoAnswer(guard.signal, error));
  }
}

const gateAnswers: readonly unknown[] = ["allow", "ask", "deny"];

function denial(reason: string): GateDecision {
  return { tier: 4, decision: "deny", reason };
}

async function askUser(run: AgentRun, call: CallPart, decision: GateDecision): Promise<Approval> {
  const reason = approvalText(decision);
  const { setup, guard, events } = run;
  const { approve } = setup;
  const { id: callId, tool, input } = call;
  if (approve === undefined) return { isAllowed: false, reason: `${reason} There is no user to approve it.` };
  await commitIntents(run, [{ callId, tool, state: "awaiting-approval" }]); // a resumed process asks again
  events.emit({ type: "ApprovalRequested", callId, tool, reason, input });
  events.emit({ type: "StateChanged", state: "waiting_for_input" });
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

/** Abort or failure counts as denial. */
function reasonForNoAnswer(signal: AbortSignal, error: unknown): string {
  if (signal.aborted) return "the run was ended";
  return `it could not be asked for (${error instanceof Error ? error.message : String(error)})`;
}

function resultMessage(
  { setup: { clock } }: AgentRun,
  { id, tool }: CallPart,
  { status, content }: Refusal,
): ResultMessage {
  return { role: "tool", id: clock.newId("msg"), at: clock.now(), callId: id, tool, status, content };
}
