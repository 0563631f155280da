import { createTokenCounter } from "../context/token-counter.ts";
import { sumCost } from "../costs/ledger-spending.ts";
import type { JudgeAnswer, JudgeQuestion } from "../goals/judge.ts";
import { asSentence } from "../protocol/as-sentence.ts";
import { textOf } from "../protocol/messages.ts";
import type { Model } from "../provider/model.ts";
import type { ModelRequest } from "../provider/model-request.ts";
import type { AgentRun, JudgeModel } from "./agent-run.ts";
import { judgeRefusal } from "./judge-budget.ts";
import { createJudgeMeter } from "./judge-spending.ts";
import { requestSize } from "./request-options.ts";
import { askShortQuestion, type ShortAnswer, shortRequest } from "./short-question.ts";

/** Leaves room for models that think, and for a reason for each criterion. */
const MAX_OUTPUT_TOKENS = 4_096;
const ANSWER_SECS = 120;
const MAX_RETRIES = 2;

type Turn = Parameters<JudgeModel["ask"]>[1];
type AskingRun = Pick<AgentRun, "setup" | "history" | "spending" | "guard" | "events">;

/**
 * The model is asked once, and once more without a schema if its answer cannot be read. If it cannot be asked, the
 * models of the run are.
 */
export function createJudgeModel(run: AskingRun): JudgeModel {
  const { setup, spending, guard, events } = run;
  const counter = createTokenCounter();
  const meter = createJudgeMeter(run);
  const ended = new AbortController();
  const answers = new Set<Promise<JudgeAnswer>>();
  const maxOutputTokens = Math.min(MAX_OUTPUT_TOKENS, setup.settings.maxOutputTokens || MAX_OUTPUT_TOKENS);
  const fallbacks = setup.models.filter((model) => !setup.judgeModels.includes(model));

  /** Undefined when the question may be asked. */
  function refusal(request: ModelRequest, isAnswer: boolean): string | undefined {
    if (!isAnswer && guard.nearBudget()) return "Little is left of the run's budget.";
    const { inputTokens } = sizeOf(request);
    return judgeRefusal({ share: setup.settings.judgeMaxCostShare, isAnswer }, meter.read(inputTokens));
  }

  const sizeOf = (request: ModelRequest) => requestSize({ ...request, counter }, { ...request, purpose: "judge" });

  function askOnce(request: ModelRequest, models: readonly Model[], { isAnswer, signal }: Turn): Promise<ShortAnswer> {
    const size = sizeOf(request);
    return askShortQuestion(run, {
      request,
      size,
      counter,
      signal,
      answerSecs: ANSWER_SECS,
      options: {
        models,
        maxRetries: MAX_RETRIES,
        reserve: ({ modelId }) =>
          spending.reserveOptional(modelId, size, { isShared: true, isAfterLastTurn: isAnswer }),
      },
    });
  }

  /** Asks once more without the schema if that may help. */
  async function askModels(models: readonly Model[], question: Question, turn: Turn): Promise<JudgeAnswer> {
    const { plain, schema, isReadable = () => true } = question;
    const first = await askOnce(schema === undefined ? plain : { ...plain, responseSchema: schema }, models, turn);
    const firstAnswer = toAnswer(first, isReadable);
    // The guardian ends the run and says why.
    if (firstAnswer.type === "refused" && guard.stop !== undefined) return failedBy(guard.stop.message);
    if (!hasFailed(firstAnswer) || turn.signal.aborted || !mayHelp(first)) return firstAnswer;
    return withEarlier(firstAnswer, toAnswer(await askOnce(plain, models, turn), isReadable));
  }

  async function askWithFallbacks(question: Question, turn: Turn): Promise<JudgeAnswer> {
    const answer = await askModels(setup.judgeModels, question, turn);
    if (answer.type !== "failed" || answer.model === undefined || fallbacks.length === 0 || turn.signal.aborted)
      return answer;
    const problem = `${asSentence(answer.problem)} Another model judges.`;
    events.emit({ type: "ProviderWarning", model: answer.model, problem });
    return withEarlier(answer, await askModels(fallbacks, question, turn));
  }

  return {
    async ask(question, { isAnswer, signal }) {
      const plain = { ...shortRequest(setup, question, "judge"), maxOutputTokens };
      const reason = ended.signal.aborted ? "The run has ended." : refusal(plain, isAnswer);
      if (reason !== undefined) return { type: "refused", reason };
      const turn = { isAnswer, signal: AbortSignal.any([signal, ended.signal]) };
      const answer = meter.measure(() => askWithFallbacks({ ...question, plain }, turn));
      answers.add(answer);
      return answer.finally(() => answers.delete(answer));
    },
    async end() {
      ended.abort();
      await Promise.allSettled(answers);
    },
  };
}

interface Question extends Pick<JudgeQuestion, "schema" | "isReadable"> {
  /** The request without the schema. */
  readonly plain: ModelRequest;
}

type FailedAnswer = Extract<JudgeAnswer, { readonly type: "failed" | "unreadable" }>;

function hasFailed(answer: JudgeAnswer): answer is FailedAnswer {
  return answer.type === "failed" || answer.type === "unreadable";
}

/** The earlier request was paid for, also if the later one could not be. */
function withEarlier(earlier: FailedAnswer, later: JudgeAnswer): JudgeAnswer {
  if (later.type === "refused") return earlier;
  return { ...later, costNanoUsd: sumCost(earlier.costNanoUsd, later.costNanoUsd) };
}

function failedBy(problem: string): JudgeAnswer {
  return { type: "failed", problem, costNanoUsd: 0 };
}

/** Whether the same question without a schema may be answered: the answer was unreadable, or the server refused. */
function mayHelp({ response, isTimedOut }: ShortAnswer): boolean {
  if (isTimedOut) return false;
  return response.ok || response.failure.kind === "unknown" || response.failure.kind === "bad-response";
}

function toAnswer(answer: ShortAnswer, isReadable: (text: string) => boolean): JudgeAnswer {
  const { response, costNanoUsd, isTooLong, isTimedOut } = answer;
  const { model } = response;
  const unreadable = (problem: string) => ({ type: "unreadable", problem, model, costNanoUsd }) as const;
  if (isTooLong) return unreadable("The judge's answer was too long.");
  if (response.ok) {
    const text = textOf(response.message);
    return isReadable(text)
      ? { type: "answered", text, model, costNanoUsd }
      : unreadable("The judge's answer has no verdict.");
  }
  const { kind, problem } = response.failure;
  if (kind === "budget") return { type: "refused", reason: problem };
  const late = `The judge gave no answer within ${ANSWER_SECS} seconds.`;
  return { type: "failed", problem: isTimedOut ? late : `The judge failed: ${problem}`, model, costNanoUsd };
}
