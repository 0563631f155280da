import { escapeNotices } from "../guard/notice.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import { missingResult } from "../protocol/missing-result.ts";
import { type ExecutableCall, type ExecuteOptions, executeCalls } from "../tools/execute-calls.ts";
import { toolStart } from "../tools/tool-start.ts";
import type { Admission, AdmittedCall } from "./admit-calls.ts";
import type { AgentRun } from "./agent-run.ts";
import { commitIntents, saveEvents } from "./commit-turn.ts";
import { recheckCall } from "./recheck-call.ts";

/**
 * Step 10: executes the admitted calls, in parallel where they are independent, and reports each result to the
 * guardian. Calls with effects are committed before they start. Returns the results of all calls, including
 * refused ones.
 */
export async function executeAdmitted(
  run: AgentRun,
  calls: readonly CallPart[],
  { admitted, refused }: Admission,
): Promise<readonly ResultMessage[]> {
  if (admitted.length === 0) return refused;
  const isCommitted = admitted.some(hasEffect);
  if (isCommitted) await commitAdmitted(run, calls, { admitted, refused });
  const { guard, events } = run;
  const isQuestion = admitted.every(({ tool }) => tool.answerTimeoutMs !== undefined);
  events.emit({ type: "StateChanged", state: isQuestion ? "waiting_for_input" : "waiting_for_tool" });
  guard.observe({ type: "waiting", for: isQuestion ? "approval" : "tool" });
  const results = await executeCalls(executableCalls(run, admitted, { isCommitted }), executeOptions(run));
  events.emit({ type: "StateChanged", state: "running" });
  guard.afterCalls(results);
  return [...results.map((result) => ({ ...result, content: escapeNotices(result.content) })), ...refused];
}

/** A call after one that does more than read is judged again right before it starts. */
function executableCalls(
  run: AgentRun,
  admitted: readonly AdmittedCall[],
  { isCommitted }: { readonly isCommitted: boolean },
): readonly ExecutableCall[] {
  const firstChange = admitted.findIndex(({ decision }) => decision.tier > 0);
  return admitted.map((each, index) => ({
    call: each.call,
    tool: each.tool,
    isAnnounced: isCommitted && index === 0,
    leavesSandbox: each.decision.leavesSandbox === true,
    reachesBeyond: each.decision.tier >= 3,
    runsNoCode: each.decision.tier <= 1,
    ...(firstChange === -1 || index <= firstChange ? {} : { recheck: () => recheckCall(run, each) }),
  }));
}

/** Step 11: appends the results in the order of their calls, and records what became of each. */
export function appendResults(
  { history, audit }: AgentRun,
  calls: readonly CallPart[],
  results: readonly ResultMessage[],
): void {
  const inOrder = calls.flatMap(({ id }) => results.find(({ callId }) => callId === id) ?? []);
  history.append(...inOrder);
  audit.finished(inOrder);
}

/**
 * Saves the calls before they start, with the start of the first one: other processes see what the run works on. If the
 * intents cannot be saved, no call is executed and each still gets a result.
 */
async function commitAdmitted(
  run: AgentRun,
  calls: readonly CallPart[],
  { admitted, refused }: Admission,
): Promise<void> {
  try {
    await commitIntents(
      run,
      admitted.map(({ call }) => ({ callId: call.id, tool: call.tool, state: "started" })),
      admitted.slice(0, 1).map(({ call, tool }) => toolStart({ ...call, tool: tool.name }, tool.kind)),
    );
  } catch (error) {
    const notStarted = admitted.map(({ call }) => missingResult(call, "not-started", run.setup.clock));
    appendResults(run, calls, [...notStarted, ...refused]);
    throw error;
  }
}

/** The options of every execution in a run. */
export function executeOptions({ setup, guard, events, writer }: AgentRun): ExecuteOptions {
  const { sessionId, runId, workspace, settings, clock } = setup;
  return {
    parallel: settings.parallelTools,
    timeoutMs: settings.toolTimeoutSecs * 1_000,
    maxOutputTokens: settings.maxToolOutputTokens,
    context: { sessionId, runId, workspace },
    signal: guard.signal,
    clock,
    emit: (event) => events.emit(event),
    onQuestion: () => saveEvents({ events, writer }),
  };
}

/** A call that reaches beyond the workspace has an effect, also if its tool only reads. */
function hasEffect({ tool: { kind }, decision }: AdmittedCall): boolean {
  const isReadOnly = kind === "read" || kind === "poll" || kind === "think" || kind === "wait";
  return !isReadOnly || decision.tier >= 3;
}
