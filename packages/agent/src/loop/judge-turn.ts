import { untilAborted } from "../async/until-aborted.ts";
import type { Judge, JudgeInput, Judgement } from "../goals/judge.ts";
import { openParts } from "../goals/missing-parts.ts";
import type { Goal, GoalEvaluation, Verdict } from "../protocol/goal.ts";
import type { AgentRun } from "./agent-run.ts";
import { appendUserMessage } from "./append-messages.ts";
import { type Continue, continues, type Finish, finishWithout } from "./finish.ts";
import { runJudgeCommand } from "./judge-command.ts";
import { hasChanged } from "./run-changes.ts";

/** The turn to judge. */
export interface JudgedTurn {
  /** The text of the reply, with its earlier parts if it was cut off and continued. */
  readonly output: string;
  /** The reply makes no calls. */
  readonly isAnswer: boolean;
}

/** Step 13: compares the turn with the goal, if the run has one. A hint of the judge is appended for the model. */
export async function judgeTurn(run: AgentRun, turn: JudgedTurn): Promise<Continue | Finish> {
  const { setup, guard, events } = run;
  const { goal } = setup;
  if (goal === undefined || guard.signal.aborted) return continues;
  const signal = guard.decisionSignal();
  const judgement = await evaluate(setup.judge, judgeInput(run, turn, { goal, signal }));
  if (signal.aborted) return continues;
  const { evaluation, model, costNanoUsd, problem, ...verdict } = judgement;
  if (evaluation !== undefined) events.emit({ type: "GoalEvaluated", ...evaluation });
  events.emit({
    type: "JudgeVerdict",
    verdict: verdict.type,
    ...reasonOf(verdict, evaluation),
    ...(model === undefined ? {} : { model }),
    ...(costNanoUsd === undefined ? {} : { costNanoUsd }),
    ...(problem === undefined ? {} : { problem }),
  });
  if (turn.isAnswer) reportVerdict(run, verdict);
  switch (verdict.type) {
    case "accept":
      return { type: "finish", reason: "goal_accepted", text: turn.output.trim() === "" ? reached(goal) : turn.output };
    case "escalate":
      return finishWithout(run, "goal_escalated", verdict.reason);
    case "retry":
      appendHint(run, `The goal is not reached yet: ${goal.text}\n${verdict.hint}`);
      return continues;
    case "continue":
      if (turn.isAnswer) appendHint(run, problem === undefined ? unfinished(goal) : unjudged(goal));
      return continues;
    default:
      return verdict satisfies never;
  }
}

/** The text of a run that is accepted by what a turn without words has done. */
function reached({ text }: Goal): string {
  return `The goal is reached: ${text}`;
}

function unfinished({ text }: Goal): string {
  return `The goal is not reached yet: ${text}\nContinue.`;
}

function unjudged({ text }: Goal): string {
  return `Your answer could not be judged. Compare it with the goal, do what is missing, and answer again: ${text}`;
}

function appendHint(run: AgentRun, text: string): void {
  appendUserMessage(run, text, { origin: "automatic", reason: "judge" });
}

/** The guardian notices a judge that refuses one answer after the other. */
function reportVerdict({ guard }: AgentRun, verdict: Verdict): void {
  const hint = verdict.type === "retry" ? { hint: verdict.hint } : {};
  guard.observe({ type: "verdict", verdict: verdict.type, ...hint });
}

function judgeInput(
  run: AgentRun,
  { output, isAnswer }: JudgedTurn,
  { goal, signal }: Pick<JudgeInput, "goal" | "signal">,
): JudgeInput {
  const { setup, history, guard, judgeModel, changes } = run;
  const { settings } = setup;
  const turn = history.turn + 1;
  const isRegular = settings.judgeEveryTurns > 0 && turn % settings.judgeEveryTurns === 0;
  return {
    goal,
    output,
    isAnswer,
    messages: history.messages,
    signal,
    prompt: setup.title,
    startedAt: setup.startedAt,
    turn,
    elapsedMs: guard.workMs(),
    costNanoUsd: guard.costWithSubagents(),
    workspace: setup.workspace,
    checks: observedChecks(run),
    isModelDue: isAnswer || (isRegular && settings.judgeMaxCostShare > 0),
    hasChanged: hasChanged(run),
    usedTools: () => changes.usedTools(),
    writtenFiles: () => changes.writtenFiles(),
    redact: setup.redact,
    runCommand: (command, timeoutSecs) =>
      runJudgeCommand(run, { command, signal, ...(timeoutSecs === undefined ? {} : { timeoutSecs }) }),
    ask: (question) => judgeModel.ask(question, { isAnswer, signal }),
  };
}

/** A check may take its time: the guardian does not take the wait for a stall. */
function observedChecks({ setup: { checks }, guard }: AgentRun): JudgeInput["checks"] {
  const observed = Object.entries(checks).map(([name, check]): [string, typeof check] => [
    name,
    (input) => {
      guard.observe({ type: "waiting", for: "tool" });
      return check(input);
    },
  ]);
  return Object.fromEntries(observed);
}

const verdictTypes: readonly string[] = ["accept", "retry", "escalate", "continue"];

/** A judge that fails does not accept: the decision is escalated to the user. */
async function evaluate(judge: Judge, input: JudgeInput): Promise<Judgement> {
  try {
    const judgement = await untilAborted(judge.evaluate(input), input.signal);
    if (verdictTypes.includes(judgement?.type)) return withText(judgement);
    return { type: "escalate", reason: `The judge gave no verdict: expected one of ${verdictTypes.join(", ")}.` };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { type: "escalate", reason: `The judge failed: ${problem}` };
  }
}

/** A judge may come from JavaScript: a reason or hint that is no text must not break the run. */
function withText(judgement: Judgement): Judgement {
  if (judgement.type === "retry") return { ...judgement, hint: textOrNothing(judgement.hint) };
  if (judgement.type === "escalate")
    return { ...judgement, reason: textOrNothing(judgement.reason) || "The judge escalated without a reason." };
  return judgement;
}

function textOrNothing(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function reasonOf(verdict: Verdict, evaluation: GoalEvaluation | undefined): { readonly reason?: string } {
  if (verdict.type === "retry") return { reason: verdict.hint };
  if (verdict.type === "escalate") return { reason: verdict.reason };
  const missing = verdict.type === "accept" && evaluation !== undefined ? openParts(evaluation) : [];
  return missing.length === 0 ? {} : { reason: missing.join(" ") };
}
