import type { Guardian } from "@sheepdog/guardian";
import { callOut } from "../async/call-out.ts";
import { untilAborted } from "../async/until-aborted.ts";
import type { GateDecision } from "../gate/gate.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import { redactText } from "../secrets/redact-text.ts";
import type { Tool } from "../tools/tool.ts";
import { commitOpen } from "./commit-turn.ts";
import type { Approval, RunContext } from "./run-context.ts";

/** A call that may be run, with its tool. */
export interface Admitted {
  readonly call: CallPart;
  readonly tool: Tool;
}

/** What came of asking: calls to run, and results in place of the others. Every call is in one of the two. */
export interface Admission {
  readonly admitted: readonly Admitted[];
  readonly refused: readonly ResultMessage[];
}

/** Asks the guardian about all calls of a reply, then the gate about each that is left. A refusal is answered in band, never silently. */
export async function admitCalls(run: RunContext, calls: readonly CallPart[]): Promise<Admission> {
  const admitted: Admitted[] = [];
  const refused: ResultMessage[] = [];
  const verdicts = run.guard.guardian.beforeCalls(calls.map((call) => toldOf(run, call)));
  let place = 0;
  for (const call of calls) {
    const verdict = verdicts[place++];
    if (verdict?.allow !== true) {
      refused.push(blocked(run, call, verdict?.message ?? ""));
      continue;
    }
    const tool = run.tools.find(call.tool);
    if (tool === undefined || call.input === undefined) {
      refused.push(notRun(run, call, impossible(run, call, tool)));
      continue;
    }
    const gated = await askGate(run, call, tool);
    run.emit({
      type: "GateDecision",
      callId: call.id,
      tool: call.tool,
      tier: gated.tier,
      decision: gated.decision,
      reason: gated.reason,
    });
    const denial = gated.decision === "allow" ? undefined : await denialOf(run, call, gated);
    if (denial === undefined) admitted.push({ call, tool });
    else refused.push(notRun(run, call, denial));
  }
  return { admitted, refused };
}

type Refusal = Pick<ResultMessage, "status" | "content">;

function blocked(run: RunContext, call: CallPart, message: string): ResultMessage {
  run.emit({ type: "ToolBlocked", callId: call.id, tool: call.tool, input: call.input, by: "guardian", message });
  return result(run, call, "denied", message);
}

/** The guardian has let it pass, and hears what became of it. */
function notRun(run: RunContext, call: CallPart, { status, content }: Refusal): ResultMessage {
  run.guard.guardian.afterCall(call.id, { status, content });
  return result(run, call, status, content);
}

/** A call that nobody can run is told like one that failed at once. */
function impossible(run: RunContext, { id, tool: name, input, problem }: CallPart, tool: Tool | undefined): Refusal {
  const status = tool === undefined ? "unknown-tool" : "invalid-arguments";
  const content = tool === undefined ? run.tools.unknown(name) : (problem ?? "The arguments are not a JSON object.");
  run.emit({ type: "ToolStart", callId: id, tool: name, input });
  run.emit({ type: "ToolEnd", callId: id, tool: name, status, content, ms: 0 });
  return { status, content };
}

/** What is said in place of a result where the gate does not simply allow a call; nothing where a person does. */
async function denialOf(
  run: RunContext,
  call: CallPart,
  { decision, reason }: GateDecision,
): Promise<Refusal | undefined> {
  const approval = decision === "ask" ? await askPerson(run, call, reason) : { isAllowed: false, reason };
  if (approval.isAllowed) return undefined;
  const message = `Not run: ${approval.reason ?? reason}`;
  run.emit({ type: "ToolBlocked", callId: call.id, tool: call.tool, input: call.input, by: "gate", message });
  return { status: "denied", content: message };
}

/** What the gate says; one that fails, or does not answer before the run ends, has said no. */
export async function askGate(run: RunContext, call: CallPart, tool: Tool): Promise<GateDecision> {
  try {
    const { gate, guard, workspace } = run;
    return (await untilAborted(callOut(gate, "decide", call, tool, { workspace }), guard.signal)) ?? denied(unanswered);
  } catch (error) {
    return denied(whyUnanswered(run, error));
  }
}

function denied(reason: string): GateDecision {
  return { tier: 4, decision: "deny", reason };
}

async function askPerson(
  run: RunContext,
  call: CallPart,
  reason: string,
): Promise<{ readonly isAllowed: boolean; readonly reason?: string }> {
  const { approve, guard } = run;
  if (approve === undefined) return { isAllowed: false, reason: `${reason}; nobody is there to be asked` };
  await commitOpen(run, [{ callId: call.id, tool: call.tool, state: "awaiting-approval" }]); // a process that ends while it waits asks again
  run.emit({ type: "ApprovalRequested", callId: call.id, tool: call.tool, reason, input: call.input });
  run.emit({ type: "StateChanged", state: "waiting_for_input" });
  guard.guardian.observe({ type: "waiting", for: "approval" });
  let approval: Approval;
  try {
    approval = (await untilAborted(approve(call, reason, guard.signal), guard.signal)) ?? {
      isAllowed: false,
      reason: unanswered,
    };
  } catch (error) {
    approval = { isAllowed: false, reason: whyUnanswered(run, error) };
  }
  run.emit({
    type: "ApprovalResolved",
    callId: call.id,
    isAllowed: approval.isAllowed,
    ...(approval.reason === undefined ? {} : { reason: approval.reason }),
  });
  run.emit({ type: "StateChanged", state: "running" });
  return approval.isAllowed ? approval : { isAllowed: false, reason: approval.reason ?? "a person said no" };
}

const unanswered = "there was no answer";

/** A run that is cancelled waits for nobody, and one who fails to answer has not said yes. */
function whyUnanswered({ guard: { signal } }: RunContext, error: unknown): string {
  return signal.aborted
    ? "the run was ended"
    : `it could not be asked for (${error instanceof Error ? error.message : String(error)})`;
}

/** A call as the guardian is told of it, which remembers its name: one that the model has made up may be anything. */
export function toldOf(
  { tools }: RunContext,
  { id, tool, input, problem }: CallPart,
): Parameters<Guardian["beforeCall"]>[0] {
  const found = tools.find(tool);
  const args = input ?? problem;
  if (found === undefined) return { id, tool: redactText(tool), args };
  return found.kind === "unknown" ? { id, tool, args } : { id, tool, args, kind: found.kind };
}

function result(
  run: RunContext,
  { id, tool }: CallPart,
  status: ResultMessage["status"],
  content: string,
): ResultMessage {
  return { role: "tool", id: run.clock.newId("msg"), at: run.clock.now(), callId: id, tool, status, content };
}
