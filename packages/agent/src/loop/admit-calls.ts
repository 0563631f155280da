import type { GateDecision } from "../gate/gate.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun } from "./agent-run.ts";
import { askApproval } from "./ask-approval.ts";
import { askGate, emitDecision } from "./ask-gate.ts";
import { askGuards } from "./ask-guards.ts";
import { decideStop } from "./ask-user.ts";
import {
  blockedByGuard,
  blockedByGuardian,
  deniedByGate,
  notExecutable,
  type Refusal,
  refusedResult,
} from "./refusals.ts";

/** A call that may be executed. */
export interface AdmittedCall {
  readonly call: CallPart;
  readonly tool: Tool;
  /** Allowed by the gate, or approved by the user. */
  readonly decision: GateDecision;
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
    if ("tool" in admission) admitted.push(admission);
    else refused.push(refusedResult(run, call, admission));
  }
  return { admitted, refused };
}

async function admitCall(run: AgentRun, call: CallPart): Promise<AdmittedCall | Refusal> {
  const tool = run.setup.tools.find(call.tool);
  if (tool === undefined || call.input === undefined) return notExecutable(run, call, tool);
  const decision = await askGate(run, call, tool);
  emitDecision(run, call, decision);
  const refusal = await refusalOf(run, call, decision);
  if (refusal !== undefined) return refusal;
  run.writtenFiles.add({ callId: call.id, paths: decision.writtenFiles ?? [] });
  return { call, tool, decision };
}

/** Undefined if the gate allows the call, or the user approves it. */
async function refusalOf(run: AgentRun, call: CallPart, decision: GateDecision): Promise<Refusal | undefined> {
  if (decision.decision === "allow") return undefined;
  if (decision.decision === "deny") return deniedByGate(run, call, decision);
  const { reason } = decision;
  const question = decision.leavesSandbox === true ? `${reason} It runs outside the sandbox.` : reason;
  const approval = await askApproval(run, call, { ...decision, reason: question });
  return approval.isAllowed ? undefined : deniedByGate(run, call, { reason: approval.reason ?? reason });
}
