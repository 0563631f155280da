import { tellBudgets } from "./account.ts";
import { admit } from "./admit.ts";
import { askForReply } from "./ask-for-reply.ts";
import { commit, commitIntents } from "./commit.ts";
import { type Ending, stopped } from "./ending.ts";
import { execute } from "./execute.ts";
import { fit } from "./fit.ts";
import { type AssistantMessage, callsOf, textOf } from "./messages.ts";
import { nextAfter } from "./recoveries.ts";
import type { RunContext } from "./run-context.ts";
import { addNotices, addSteering, addUserMessage, internal } from "./say.ts";

/** One prompt worked off: the model reasons and acts in turns until it answers or somebody ends it. Control flow only; each step is a file of its name. */
export async function loop(run: RunContext): Promise<Ending> {
  const { history, guard, progress } = run; // 1 the history was loaded, 3 the context was built, as the run was made
  addUserMessage(run, run.prompt, "person"); // 2
  await tellBudgets(run);

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

    const { admitted, refused } = await admit(run, calls); // 9
    await commitIntents(run, admitted);
    const results = await execute(run, admitted); // 10
    history.add(...inOrder(calls, [...results, ...refused])); // 11
    await endTurn(run); // 12, 13, 14, 15, 16
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
  const isSteered = await endTurn(run);
  if (run.signal.aborted) return stopped("cancelled", "The run was cancelled.", history.messages);
  if (isSteered) return undefined; // a person spoke while the model answered
  return next.type === "answered" ? { reason: "answered", text: answerOf(run, reply) } : stopped(next.reason, next.problem, history.messages);
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
  addNotices(run, run.guard.guardian.endTurn()); // 12
  const isSteered = addSteering(run);
  await commit(run); // 15, 16
  run.emit({ type: "TurnComplete", turn: run.progress.turn });
  run.progress.turn += 1;
  return isSteered;
}

/** Results in the order of their calls. */
function inOrder<R extends { readonly callId: string }>(calls: readonly { readonly id: string }[], results: readonly R[]): readonly R[] {
  return calls.flatMap(({ id }) => results.filter((result) => result.callId === id).slice(0, 1));
}
