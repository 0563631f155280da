import { untilAborted } from "../async/until-aborted.ts";
import type { Judge, JudgeInput } from "../goals/judge.ts";
import type { Verdict } from "../protocol/goal.ts";
import { type AssistantMessage, textOf } from "../protocol/messages.ts";
import type { AgentRun } from "./agent-run.ts";
import { appendUserMessage } from "./append-messages.ts";
import { type Continue, continues, type Finish, finishWithout } from "./finish.ts";

/** Step 13: compares the turn with the goal, if the run has one. A hint of the judge is appended for the model. */
export async function judgeTurn(
  run: AgentRun,
  reply: AssistantMessage,
  { isAnswer }: { readonly isAnswer: boolean },
): Promise<Continue | Finish> {
  const { setup, history, guard, events } = run;
  const { goal } = setup;
  if (goal === undefined || guard.signal.aborted) return continues;
  const output = textOf(reply);
  const signal = guard.decisionSignal();
  const verdict = await evaluate(setup.judge, { goal, output, isAnswer, messages: history.messages, signal });
  if (signal.aborted) return continues;
  events.emit({ type: "JudgeVerdict", verdict: verdict.type, ...reasonOf(verdict) });
  switch (verdict.type) {
    case "accept":
      return { type: "finish", reason: "goal_accepted", text: output };
    case "escalate":
      return finishWithout(run, "goal_escalated", verdict.reason);
    case "retry":
      appendHint(run, `The goal is not reached yet: ${goal.text}\n${verdict.hint}`);
      return continues;
    case "continue":
      if (isAnswer) appendHint(run, `The goal is not reached yet: ${goal.text}\nContinue.`);
      return continues;
    default:
      return verdict satisfies never;
  }
}

function appendHint(run: AgentRun, text: string): void {
  appendUserMessage(run, text, { origin: "automatic", reason: "judge" });
}

const verdictTypes: readonly string[] = ["accept", "retry", "escalate", "continue"];

/** A judge that fails does not accept: the decision is escalated to the user. */
async function evaluate(judge: Judge, input: JudgeInput): Promise<Verdict> {
  try {
    const verdict = await untilAborted(judge.evaluate(input), input.signal);
    if (verdictTypes.includes(verdict?.type)) return withText(verdict);
    return { type: "escalate", reason: `The judge gave no verdict: expected one of ${verdictTypes.join(", ")}.` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { type: "escalate", reason: `The judge failed: ${problem}` };
  }
}

/** A judge may come from JavaScript: a reason or hint that is no text must not break the run. */
function withText(verdict: Verdict): Verdict {
  if (verdict.type === "retry") return { type: "retry", hint: textOrNothing(verdict.hint) };
  if (verdict.type === "escalate")
    return { type: "escalate", reason: textOrNothing(verdict.reason) || "The judge escalated without a reason." };
  return verdict;
}

function textOrNothing(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function reasonOf(verdict: Verdict): { readonly reason?: string } {
  if (verdict.type === "retry") return { reason: verdict.hint };
  return verdict.type === "escalate" ? { reason: verdict.reason } : {};
}
