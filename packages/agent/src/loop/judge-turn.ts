import { isAborted } from "../async/is-aborted.ts";
import { untilAborted } from "../async/until-aborted.ts";
import type { Goal } from "../goals/goal.ts";
import type { JudgeInput, Verdict } from "../goals/judge.ts";
import { type AssistantMessage, textOf } from "../protocol/messages.ts";
import { addUserMessage } from "./append-messages.ts";
import type { RunContext } from "./run-context.ts";
import { type RunEnd, stopped } from "./run-end.ts";

/** Holds the turn against the run's goal, where it has one. Gives the end of the run if that is what the judge says; a hint is put to the model. */
export function judgeTurn(
  run: RunContext,
  reply: AssistantMessage,
  isAnswer: boolean,
): Promise<RunEnd | undefined> | undefined {
  const { goal, guard } = run;
  return goal === undefined || isAborted(guard.signal) ? undefined : judge(run, goal, reply, isAnswer);
}

async function judge(
  run: RunContext,
  goal: Goal,
  reply: AssistantMessage,
  isAnswer: boolean,
): Promise<RunEnd | undefined> {
  const { history, guard } = run;
  const output = textOf(reply);
  const verdict = await verdictOn(run, { goal, output, isAnswer, messages: history.messages, signal: guard.signal });
  if (isAborted(guard.signal)) return undefined;
  run.emit({ type: "JudgeVerdict", verdict: verdict.type, ...reasonOf(verdict) });
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

const verdicts: readonly string[] = ["accept", "retry", "escalate", "continue"];

/** A judge that fails has not accepted: a person has to see to it. */
async function verdictOn({ judge, guard }: RunContext, trial: JudgeInput): Promise<Verdict> {
  try {
    const verdict = await untilAborted(judge.evaluate(trial), guard.signal);
    if (verdicts.includes(verdict?.type)) return verdict;
    return { type: "escalate", reason: `The judge gave no verdict: expected one of ${verdicts.join(", ")}.` };
  } catch (error) {
    return { type: "escalate", reason: `The judge failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function reasonOf(verdict: Verdict): { readonly reason?: string } {
  if (verdict.type === "retry") return { reason: verdict.hint };
  return verdict.type === "escalate" ? { reason: verdict.reason } : {};
}
