import { type Ending, stopped } from "./ending.ts";
import { type AssistantMessage, textOf } from "./messages.ts";
import type { RunContext } from "./run-context.ts";
import { addUserMessage } from "./say.ts";
import { untilAborted } from "./until-aborted.ts";

/** Holds the turn against the run's goal, where it has one. Gives the end of the run if that is what the judge says; a hint is put to the model. */
export async function judgeTurn(run: RunContext, reply: AssistantMessage, isAnswer: boolean): Promise<Ending | undefined> {
  const { goal, judge, history, guard } = run;
  if (goal === undefined || guard.signal.aborted) return undefined;
  const output = textOf(reply);
  const verdict = await untilAborted(judge.evaluate({ goal, output, isAnswer, messages: history.messages, signal: guard.signal }), guard.signal);
  run.emit({
    type: "JudgeVerdict",
    verdict: verdict.type,
    ...("hint" in verdict ? { reason: verdict.hint } : "reason" in verdict ? { reason: verdict.reason } : {}),
  });
  switch (verdict.type) {
    case "accept":
      return { reason: "goal_accepted", text: output };
    case "escalate":
      return stopped("goal_escalated", verdict.reason, history.messages);
    case "retry":
      addUserMessage(run, `The goal is not reached yet: ${goal.text}\n${verdict.hint}`, "automatic", "judge");
      return undefined;
    case "continue":
      if (isAnswer) addUserMessage(run, `The goal is not reached yet: ${goal.text}\nGo on.`, "automatic", "judge");
      return undefined;
    default:
      return verdict satisfies never;
  }
}
