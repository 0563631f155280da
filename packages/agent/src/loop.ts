import { tellBudgets } from "./account.ts";
import { askForReply } from "./ask-for-reply.ts";
import { commit } from "./commit.ts";
import { type Ending, stopped } from "./ending.ts";
import { fit } from "./fit.ts";
import { judgeTurn } from "./judge-turn.ts";
import { type AssistantMessage, callsOf, textOf } from "./messages.ts";
import { recover } from "./recover.ts";
import { nextAfter } from "./recoveries.ts";
import { runCalls } from "./run-calls.ts";
import type { RunContext } from "./run-context.ts";
import { recordOf } from "./run-record.ts";
import { addNotices, addSteering, addUserMessage, internal } from "./say.ts";

/** One prompt worked off: the model reasons and acts in turns until it answers or somebody ends it. Control flow only; each step is a file of its name. */
export async function loop(run: RunContext): Promise<Ending> {
  const { history, guard, progress, prompt } = run; // 1 the history was loaded, 3 the context was built, as the run was made
  if (await recover(run)) await endTurn(run); // the turn a process was in when it ended
  if (prompt !== undefined) addUserMessage(run, prompt.text, prompt.origin); // 2
  await commit(run, [], { run: recordOf(run) });
  tellBudgets(run);

  for (;;) {
    const over = preflight(run);
    if (over !== undefined) return over;
    run.emit({ type: "TurnStarted", turn: progress.turn });

    const sent = await fit(run); // 4, 5
    if (guard.stop !== undefined) return endedByGuard(run);

    const answer = await askForReply(run, sent); // 6
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
    const met = await judgeTurn(run, answer.message, false); // 13
    await endTurn(run); // 12, 14, 15, 16
    if (met !== undefined) return met;
  }
}

/** Before each turn: was it cancelled, is the time up, were those all its turns, is the money spent? */
function preflight(run: RunContext): Ending | undefined {
  if (run.signal.aborted) return stopped("cancelled", "The run was cancelled.", run.history.messages);
  return run.guard.stop === undefined ? undefined : endedByGuard(run);
}

function endedByGuard({ guard, history }: RunContext): Ending {
  const { reason = "internal_error", message = "" } = guard.stop ?? {};
  return stopped(reason, message, history.messages);
}

/** A reply that calls nothing, or whose calls must not be run: an answer, or a reason to ask once more. */
async function withoutCalls(run: RunContext, reply: AssistantMessage): Promise<Ending | undefined> {
  const { guard, progress, settings, history } = run;
  history.add(...callsOf(reply).map((call) => internal.notRun(run, call)));
  guard.guardian.message(textOf(reply), reply.stop === "length" ? "length" : "end");
  const next = nextAfter(reply, progress.recovered, settings);
  if (next.type === "again") {
    const { length, empty } = progress.recovered;
    progress.recovered = {
      length: length + (next.reason === "max_tokens_recovery" ? 1 : 0),
      empty: empty + (next.reason === "empty_reply" || next.reason === "incomplete_reply" ? 1 : 0),
    };
    if (next.reason !== "interrupted") addUserMessage(run, next.text, "automatic", next.reason);
    await endTurn(run);
    return undefined;
  }
  const met = next.type === "answered" ? await judgeTurn(run, reply, true) : undefined; // 13
  const isSteered = await endTurn(run);
  if (run.signal.aborted) return stopped("cancelled", "The run was cancelled.", history.messages);
  if (isSteered) return undefined; // a person spoke while the model answered
  if (next.type === "ended") return stopped(next.reason, next.problem, history.messages);
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

/** Every call has its result: the guardian speaks, people are heard, and all of it is kept. Whether a person spoke. */
async function endTurn(run: RunContext): Promise<boolean> {
  const { turn } = run.progress;
  addNotices(run, run.guard.guardian.endTurn()); // 12
  const isSteered = addSteering(run);
  run.progress.turn = turn + 1;
  await commit(run, [
    { type: "Checkpointed", turn },
    { type: "TurnComplete", turn },
  ]); // 15, 16
  return isSteered;
}
