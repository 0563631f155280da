import { untilAborted } from "../async/until-aborted.ts";
import type { GateDecision, GateLesson } from "../gate/gate.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun } from "./agent-run.ts";
import { withReasoning } from "./gate-reasoning.ts";
import { reasonForNoAnswer } from "./no-answer.ts";

/** The gate's decision, with what the model says about it if the settings want that, recorded in the audit trail. */
export function askGate(run: AgentRun, call: CallPart, tool: Tool): Promise<GateDecision> {
  return run.audit.decide(call, async (lessons) =>
    withReasoning(run, call, await gateAnswer(run, { call, tool, lessons })),
  );
}

/** Publishes a decision, without what only the model or the user is told. */
export function emitDecision({ events }: AgentRun, { id: callId, tool }: CallPart, decision: GateDecision): void {
  const { instead: _, suggestion: __, writtenFiles: ___, ...published } = decision;
  events.emit({ ...published, type: "GateDecision", callId, tool });
}

interface GateQuestion {
  readonly call: CallPart;
  readonly tool: Tool;
  readonly lessons?: readonly GateLesson[];
}

/** The gate's answer. A gate that fails, or does not answer before the run ends, denies. */
export async function gateAnswer(run: AgentRun, { call, tool, lessons = [] }: GateQuestion): Promise<GateDecision> {
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
    return withLists(typeof decision.reason === "string" ? decision : { ...decision, reason: "no reason was given" });
  } catch (error) {
    const isUnanswered = signal.aborted && !guard.signal.aborted;
    return denial(isUnanswered ? "there was no answer" : reasonForNoAnswer(guard.signal, error));
  }
}

const gateAnswers: readonly unknown[] = ["allow", "ask", "deny"];

function denial(reason: string): GateDecision {
  return { tier: 4, decision: "deny", reason };
}

/** A gate of another program may answer anything: only lists are kept as lists. */
function withLists(decision: GateDecision): GateDecision {
  const lists = ["principles", "patterns", "paths", "lessons", "writtenFiles"] as const;
  if (lists.every((name) => decision[name] === undefined || Array.isArray(decision[name]))) return decision;
  const { tier, decision: answer, reason } = decision;
  return { tier, decision: answer, reason };
}
