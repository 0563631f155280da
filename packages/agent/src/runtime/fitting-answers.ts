import type { Inbox } from "../loop/inbox.ts";
import type { AskAboutRun } from "../protocol/run-question.ts";

/** A program that always gives the same answer must not be asked for ever. */
const MAX_TIMES = 5;

/** Asks again if the user's message does not fit into the context, and says why. */
export function askForFittingAnswer(
  askAboutRun: AskAboutRun,
  { countExactly, steeringProblem }: Pick<Inbox, "countExactly" | "steeringProblem">,
): AskAboutRun {
  return async (question, signal) => {
    let asked = question;
    for (let times = 1; times <= MAX_TIMES; times += 1) {
      const answer = await askAboutRun(asked, signal);
      if (answer?.type !== "tell") return answer;
      await countExactly(answer.text);
      const problem = steeringProblem(answer.text);
      if (problem === undefined || signal.aborted) return answer;
      asked = Object.freeze({ ...question, text: `${problem} ${question.text}`, problem });
    }
    return undefined; // no answer
  };
}
