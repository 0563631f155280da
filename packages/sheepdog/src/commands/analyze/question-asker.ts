import { resolve } from "node:path";
import type { Opinion } from "@sheepdog/guardian/opinion";
import { openQuestions, type Question, type RecordedRun } from "@sheepdog/records";
import type { OpinionModel } from "../../compose/opinion-model.ts";
import { writeMessage } from "../../io.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { AnsweredQuestions } from "./answered-questions.ts";
import { saveOpinion } from "./opinions-file.ts";

/** Asks a model, and saves each answer as soon as it is there. */
export interface QuestionAsker {
  /** Asks the questions about a run, one after the other, because later ones depend on earlier answers. */
  answerAll(run: RecordedRun): Promise<void>;
  /** Says what was asked and where the answers are. Returns false if the model gave no answer. */
  end(): Promise<boolean>;
}

interface AskerOptions {
  readonly model: OpinionModel;
  readonly saveTo: string;
  /** Undefined for no limit. */
  readonly maxNanoUsd: number | undefined;
}

/** Asks until the money is used up or the model cannot be reached; then the rules decide. */
export function createQuestionAsker(
  { policy, opinions, io }: AnsweredQuestions,
  { model, saveTo, maxNanoUsd }: AskerOptions,
): QuestionAsker {
  const spending = { asked: 0, nanoUsd: 0, isPriced: true };
  let stopped: "at-limit" | "failed" | undefined;

  async function stop(reason: "at-limit" | "failed", sentence: string): Promise<undefined> {
    stopped = reason;
    await writeMessage(io, `${sentence}; the rules decide about the other questions`);
  }

  async function ask(question: Question): Promise<Opinion | undefined> {
    const limit = maxNanoUsd === undefined ? undefined : maxNanoUsd - spending.nanoUsd;
    const limitSentence = `the limit of ${dollars((maxNanoUsd ?? 0) / 1e9)} is reached (--max-cost)`;
    if (limit !== undefined && (model.maxNanoUsd(question) ?? 0) > limit) return stop("at-limit", limitSentence);
    const answer = await model.ask(question, limit);
    spending.nanoUsd += answer.costNanoUsd ?? 0;
    spending.isPriced &&= answer.costNanoUsd !== null;
    if (answer.ok) return answer.opinion;
    return answer.isOverLimit
      ? stop("at-limit", limitSentence)
      : stop("failed", `${model.name} gave no answer: ${plainText(answer.problem)}`);
  }

  return {
    async answerAll(run) {
      while (stopped === undefined) {
        const [question] = openQuestions(run, policy, ({ id }) => opinions.get(id));
        const opinion = question && (await ask(question));
        if (question === undefined || opinion === undefined) return;
        spending.asked++;
        opinions.set(question.id, opinion);
        await saveOpinion(resolve(io.cwd, saveTo), { id: question.id, ...opinion });
      }
    },
    async end() {
      if (spending.asked + spending.nanoUsd > 0) await writeMessage(io, spendingSentence(spending, saveTo));
      return stopped !== "failed";
    },
  };
}

function spendingSentence(
  { asked, nanoUsd, isPriced }: { readonly asked: number; readonly nanoUsd: number; readonly isPriced: boolean },
  saveTo: string,
): string {
  const cost = isPriced ? ` for ${dollars(nanoUsd / 1e9)}` : "";
  return `${counted(asked, "question")} answered${cost}; the answers are in ${plainText(saveTo)} (for --opinions)`;
}
