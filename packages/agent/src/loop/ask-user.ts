import type { GuardianState, Intervention } from "@sheepdog/guardian";
import { answerInTime, late } from "../async/answer-timeout.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { AskAboutRun, GivenRunAnswer, RunQuestion } from "../protocol/run-question.ts";
import type { AgentRun } from "./agent-run.ts";
import { answerBy } from "./ask-approval.ts";
import { commitOpenTurn } from "./commit-turn.ts";

/**
 * Ends the turn for the guardian, and asks the user about each block before it takes effect. Returns the notices for
 * the model, without those that the user has decided about.
 */
export async function decideNotices(run: AgentRun): Promise<readonly Intervention[]> {
  const beforeEnd = run.guard.snapshot();
  const notices: Intervention[] = [];
  for (const notice of run.guard.endTurn()) if (!(await mayContinue(run, notice, beforeEnd))) notices.push(notice);
  return notices;
}

/** Asks the user before the guardian ends the run. Returns whether the run may continue after a stop. */
export async function decideStop(run: AgentRun): Promise<boolean> {
  const intervention = run.guard.stopToAskAbout();
  return intervention !== undefined && (await mayContinue(run, intervention, run.guard.snapshot()));
}

/**
 * Asks about an intervention if the user has to be asked. False: it takes effect. After a crash, a process starts with
 * the state `ifCrashed` of the guardian: it asks about a block and a limit again at once, about the end of the run
 * after the next repetition.
 */
async function mayContinue(run: AgentRun, intervention: Intervention, ifCrashed: GuardianState): Promise<boolean> {
  const { setup, guard } = run;
  const { askAboutRun } = setup;
  if (askAboutRun === undefined || guard.signal.aborted || !guard.shouldAsk(intervention)) return false;
  guard.markAsked(intervention);
  const question = Object.freeze(questionAbout(run, intervention));
  const answer = await ask(run, { askAboutRun, question, ifCrashed });
  if (answer === undefined) return false;
  if (answer.type === "stop") {
    guard.endByUser(intervention);
    return false;
  }
  if (answer.type === "tell") guard.continueWithMessage(question);
  else guard.applyControl(question.ifContinued);
  return true;
}

function questionAbout({ guard, spending }: AgentRun, intervention: Intervention): RunQuestion {
  return {
    id: intervention.id,
    text: intervention.question ?? intervention.message,
    intervention,
    ifContinued: Object.freeze(guard.controlToContinue(intervention)),
    turns: guard.snapshot().runTurns,
    costNanoUsd: spending.costNanoUsd,
  };
}

interface Asking {
  readonly askAboutRun: AskAboutRun;
  readonly question: RunQuestion;
  readonly ifCrashed: GuardianState;
}

/** Saves the results so far with the question, then waits for the answer. The guardian does not count the wait. */
async function ask(run: AgentRun, { askAboutRun, question, ifCrashed }: Asking): Promise<GivenRunAnswer | undefined> {
  const { guard } = run;
  const asked: readonly AgentEventBody[] = [
    { type: "QuestionAsked", question, ...answerBy(run.setup) },
    { type: "StateChanged", state: "waiting_for_input" },
  ];
  await commitOpenTurn(run, asked, ifCrashed);
  guard.observe({ type: "waiting", for: "approval" });
  const answer = delivered(run, await answerTo(run, question, askAboutRun));
  const answered: readonly AgentEventBody[] = [
    {
      type: "QuestionAnswered",
      questionId: question.id,
      answer: answer?.type ?? (run.setup.cancelled.aborted ? "stop" : "none"),
      ...(answer?.type === "tell" ? { text: answer.text } : {}),
      ...(answer?.by === undefined ? {} : { by: answer.by }),
    },
    { type: "StateChanged", state: "running" },
  ];
  await commitOpenTurn(run, answered, ifCrashed);
  return answer;
}

/** Sends the message of a "tell". An answer that cannot be sent, because the run is ending, is none. */
function delivered({ inbox }: AgentRun, answer: GivenRunAnswer | undefined): GivenRunAnswer | undefined {
  return answer?.type === "tell" && !inbox.steer(answer.text) ? undefined : answer;
}

/** The user's answer. An abort, a failure or an unknown answer counts as none. */
async function answerTo(
  { setup: { answerTimeoutMs, clock }, guard: { signal } }: AgentRun,
  question: RunQuestion,
  askAboutRun: AskAboutRun,
): Promise<GivenRunAnswer | undefined> {
  try {
    const answer = await answerInTime((timedSignal) => askAboutRun(question, timedSignal), {
      timeoutMs: answerTimeoutMs,
      signal,
      clock,
    });
    if (answer === late) return undefined;
    switch (answer?.type) {
      case "stop":
      case "continue":
        return answer;
      case "tell":
        return answer.text.trim() === "" ? { ...answer, type: "continue" } : answer;
      default:
        return undefined;
    }
  } catch {
    return undefined; // the intervention takes effect, as in an unattended run
  }
}
