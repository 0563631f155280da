import { isAborted } from "../async/is-aborted.ts";
import { tellBudgets } from "../costs/settle.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import { type AssistantMessage, callsOf, textOf } from "../protocol/messages.ts";
import { hasUnansweredCalls, resumeTurn } from "../session/resume-turn.ts";
import { addNotices, addSteering, addUserMessage, ask, internal } from "./append-messages.ts";
import { commitTurn } from "./commit-turn.ts";
import { fitRunContext } from "./fit-context.ts";
import { judgeTurn } from "./judge-turn.ts";
import { type Next, nextAfter } from "./reply-recovery.ts";
import { requestReply } from "./request-reply.ts";
import { runCalls } from "./run-calls.ts";
import type { RunContext } from "./run-context.ts";
import { type RunEnd, stopped } from "./run-end.ts";
import { recordOf } from "./run-record.ts";

/** One prompt worked off: the model reasons and acts in turns until it answers or somebody ends it. Control flow only; each step is a file of its name. */
export async function loop(run: RunContext): Promise<RunEnd> {
  const { history, guard, progress } = run; // 1 the history was loaded, 3 the context was built, as the run was made
  await begin(run); // 2
  tellBudgets(run);

  for (;;) {
    const over = preflight(run);
    if (over !== undefined) return over;
    run.emit({ type: "TurnStarted", turn: progress.turn });

    const fitted = fitRunContext(run); // 4, 5
    const sent = fitted instanceof Promise ? await fitted : fitted;
    if (guard.stop !== undefined) return endedByGuard(run);

    const answer = await requestReply(run, sent); // 6
    if (answer.type === "ended") return answer.ending;
    if (answer.type === "again") continue; // the guardian ended a silent request; it is made once more, within the same turn
    history.add(answer.message);

    const calls = callsOf(answer.message); // 7
    if (calls.length === 0 || answer.message.stop !== "calls") {
      const ending = await withoutCalls(run, answer.message); // 8
      if (ending !== undefined) return ending;
      continue;
    }

    await runCalls(run, calls); // 9, 10, 11
    const judged = judgeTurn(run, answer.message, false); // 13
    const met = judged === undefined ? undefined : await judged;
    if (met !== undefined) return { ...met, told: completeTurn(run).told };
    await endTurn(run); // 12, 14, 15, 16
  }
}

/** The prompt is kept before anything is done about it. Where a process ended in the middle of a turn, that one is finished first. */
async function begin(run: RunContext): Promise<void> {
  const { prompt, isResumed, title } = run;
  const isOpen = hasUnansweredCalls(run);
  if (!isOpen) ask(run);
  const started: AgentEventBody = { type: "RunStarted", prompt: title, ...(isResumed ? { isResumed } : {}) };
  await commitTurn(run, [started], { run: recordOf(run, { isPromptPending: isOpen && prompt !== undefined }) });
  run.onBegun(run.guard);
  if (!isOpen) return;
  await resumeTurn(run);
  ask(run);
  await commitTurn(run, completeTurn(run).told, { run: recordOf(run) });
}

/** Before each turn: was it cancelled, is the time up, were those all its turns, is the money spent? */
function preflight(run: RunContext): RunEnd | undefined {
  if (isAborted(run.signal)) return stopped("cancelled", "The run was cancelled.", run.history.messages);
  return run.guard.stop === undefined ? undefined : endedByGuard(run);
}

function endedByGuard({ guard, history }: RunContext): RunEnd {
  const { reason = "internal_error", message = "" } = guard.stop ?? {};
  return stopped(reason, message, history.messages);
}

/** A reply that calls nothing, or whose calls must not be run: an answer, or a reason to ask once more. */
async function withoutCalls(run: RunContext, reply: AssistantMessage): Promise<RunEnd | undefined> {
  const { guard, progress, settings, history } = run;
  history.add(...callsOf(reply).map((call) => internal.notRun(run, call)));
  guard.guardian.message(textOf(reply), reply.stop === "length" ? "length" : "end");
  const next = nextAfter(reply, progress.recoveries, settings);
  if (next.type === "again") {
    const { length, empty } = progress.recoveries;
    progress.recoveries = {
      length: length + (next.reason === "max_tokens_recovery" ? 1 : 0),
      empty: empty + (next.reason === "empty_reply" || next.reason === "incomplete_reply" ? 1 : 0),
    };
    if (next.reason !== "interrupted") addUserMessage(run, next.text, "automatic", next.reason);
    await endTurn(run);
    return undefined;
  }
  const met = next.type === "answered" ? await judgeTurn(run, reply, true) : undefined; // 13
  const { isSteered, told } = completeTurn(run);
  const ending = endOf(run, reply, next, met);
  if (ending !== undefined && (!isSteered || run.signal.aborted)) return { ...ending, told }; // kept with the end of the run: an answer is given once
  await commitTurn(run, told); // a person, or the judge, has something more to say
  return undefined;
}

function endOf(
  run: RunContext,
  reply: AssistantMessage,
  next: Exclude<Next, { readonly type: "again" }>,
  met: RunEnd | undefined,
): RunEnd | undefined {
  if (run.signal.aborted) return stopped("cancelled", "The run was cancelled.", run.history.messages);
  if (next.type === "ended") return stopped(next.reason, next.problem, run.history.messages);
  return run.goal === undefined ? { reason: "answered", text: answerOf(run, reply) } : met;
}

/** The answer with the parts that came before it was cut off. */
function answerOf({ history }: RunContext, reply: AssistantMessage): string {
  const parts = [textOf(reply)];
  for (let i = history.messages.indexOf(reply) - 1; i > 0; i -= 1) {
    const message = history.messages[i];
    if (message?.role === "user" && message.reason === "max_tokens_recovery") continue;
    if (message?.role !== "assistant" || message.stop !== "length") break;
    parts.unshift(textOf(message));
  }
  return parts.join("");
}

/** Every call has its result: the guardian speaks, people are heard. Whether a person spoke, and what is to be told once all of it is kept. */
function completeTurn(run: RunContext): { readonly isSteered: boolean; readonly told: readonly AgentEventBody[] } {
  const { turn } = run.progress;
  addNotices(run, run.guard.guardian.endTurn()); // 12
  const isSteered = addSteering(run);
  run.progress.turn = turn + 1;
  return {
    isSteered,
    told: [
      { type: "Checkpointed", turn },
      { type: "TurnComplete", turn },
    ],
  };
}

function endTurn(run: RunContext): Promise<void> {
  return commitTurn(run, completeTurn(run).told); // 15, 16
}
