import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import { missingResult } from "../protocol/missing-result.ts";
import { tokensOf } from "../protocol/usage.ts";
import type { SubagentSpending } from "../session/close-orphaned-run.ts";
import { unansweredCallsOf } from "../session/unanswered-calls.ts";
import { admitCalls } from "./admit-calls.ts";
import type { AgentRun } from "./agent-run.ts";
import { appendResults, executeAdmitted } from "./execute-admitted.ts";

/** Whether a process crashed before all calls of the last reply had results, or before the guardian's notices. */
export function isTurnOpen({ history, guard }: AgentRun): boolean {
  if (unansweredCallsOf(history.messages).length > 0) return true;
  return history.messages.at(-1)?.role === "tool" && guard.snapshot().findings.length > 0;
}

/**
 * Finishes the turn in which a process crashed. A call that may have been executed gets the result "outcome unknown"
 * and is not executed again; a call that was waiting for approval, had not started, or can be resumed in a resumed run
 * is admitted and executed now.
 */
export async function resumeTurn(run: AgentRun): Promise<void> {
  const { setup, history, guard, spending, audit } = run;
  spending.reportUsage(); // the guardian was saved before the turn that crashed
  const startedIds = new Set(
    setup.unansweredCalls.flatMap(({ callId, tool, state }) =>
      state === "started" && !(setup.isResumed && setup.tools.find(tool)?.isResumable === true) ? [callId] : [],
    ),
  );
  const unanswered = unansweredCallsOf(history.messages);
  const isLost = ({ id, isRedacted }: CallPart) => startedIds.has(id) || isRedacted === true;
  const lost = unanswered.filter(isLost);
  guard.beforeCalls(lost);
  for (const call of lost) await closeSubagents(run, call);
  const results = lost.map((call) =>
    startedIds.has(call.id) ? outcomeUnknown(run, call) : missingResult(call, "arguments-redacted", setup.clock),
  );
  guard.afterCalls(results);
  history.append(...results);
  for (const [index, result] of results.entries()) emitLost(run, result, lost[index]?.input);
  audit.finished(results);
  const remaining = unanswered.filter((call) => !isLost(call));
  appendResults(run, remaining, await executeAdmitted(run, remaining, await admitCalls(run, remaining)));
}

function emitLost(
  { events }: AgentRun,
  { callId, tool, status, content }: ResultMessage,
  input: CallPart["input"],
): void {
  events.emit({ type: "ToolEnd", callId, tool, status, content, ms: 0, ...(input === undefined ? {} : { input }) });
}

/** Gives every unanswered call a result when the run breaks off. */
export function closeUnansweredCalls(run: AgentRun): void {
  const { history, audit } = run;
  const results = unansweredCallsOf(history.messages).map((call) => outcomeUnknown(run, call));
  history.append(...results);
  audit.finished(results);
}

function outcomeUnknown({ setup: { tools, clock } }: AgentRun, call: CallPart): ResultMessage {
  const isIdempotent = tools.find(call.tool)?.isIdempotent === true;
  return missingResult(call, isIdempotent ? "outcome-unknown-idempotent" : "outcome-unknown", clock);
}

/** Ends the subagents of a crashed call. Their spending counts against the limits of a resumed run. */
async function closeSubagents({ setup, guard, subagents }: AgentRun, call: CallPart): Promise<void> {
  const spending = await subagents.closeOrphaned(call);
  if (!setup.isResumed) return;
  for (const each of spending) guard.observe(subagentUsage(each));
}

function subagentUsage({ childId, usage, costNanoUsd }: SubagentSpending) {
  return {
    type: "usage",
    child: childId,
    used: { "run-tokens": tokensOf(usage), ...(costNanoUsd === null ? {} : { "run-cost": costNanoUsd }) },
    isPriced: costNanoUsd !== null,
  } as const;
}
