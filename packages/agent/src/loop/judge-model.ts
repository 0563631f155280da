import { createTokenCounter } from "../context/token-counter.ts";
import type { JudgeAnswer, JudgeQuestion } from "../goals/judge.ts";
import { textOf } from "../protocol/messages.ts";
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
type AskingRun = Pick<AgentRun, "setup" | "history" | "spending" | "guard">;

/** The model is asked once, and once more without a schema if its answer cannot be read. */
export function createJudgeModel(run: AskingRun): JudgeModel {
  const { setup, spending, guard } = run;
  const counter = createTokenCounter();
  const meter = createJudgeMeter(run);

  /** Undefined when the question may be asked. */
  function refusal(request: ModelRequest, isAnswer: boolean): string | undefined {
    if (!isAnswer && guard.nearBudget()) return "Little is left of the run's budget.";
    const { inputTokens } = sizeOf(request);
    return judgeRefusal({ share: setup.settings.judgeMaxCostShare, isAnswer }, meter.read(inputTokens));
  }

  const sizeOf = (request: ModelRequest) => requestSize({ ...request, counter }, { ...request, purpose: "judge" });

  function askOnce(request: ModelRequest, { isAnswer, signal }: Turn): Promise<ShortAnswer> {
    const size = sizeOf(request);
    return askShortQuestion(run, {
      request,
      size,
      counter,
      signal,
      answerSecs: ANSWER_SECS,
      options: {
        models: setup.judgeModels,
        maxRetries: MAX_RETRIES,
        reserve: ({ modelId }) =>
          spending.reserveOptional(modelId, size, { isShared: true, isAfterLastTurn: isAnswer }),
      },
    });
  }

  /** Asks once more without the schema if that may help. */
  async function askTwice(plain: ModelRequest, { schema, isReadable = () => true }: JudgeQuestion, turn: Turn) {
    const first = await askOnce(schema === undefined ? plain : { ...plain, responseSchema: schema }, turn);
    const firstAnswer = toAnswer(first, isReadable);
    // The guardian ends the run and says why.
    if (firstAnswer.type === "refused" && guard.stop !== undefined) return failedBy(guard.stop.message);
    if (firstAnswer.type !== "failed" || turn.signal.aborted || !mayHelp(first)) return firstAnswer;
    const secondAnswer = toAnswer(await askOnce(plain, turn), isReadable);
    // The first request was paid for, also if the second one could not be.
    if (secondAnswer.type === "refused") return firstAnswer;
    return { ...secondAnswer, costNanoUsd: sumCost(firstAnswer.costNanoUsd, secondAnswer.costNanoUsd) };
  }

  return {
    async ask(question, turn) {
      const plain = { ...shortRequest(setup, question, "judge"), maxOutputTokens: MAX_OUTPUT_TOKENS };
      const reason = refusal(plain, turn.isAnswer);
      if (reason !== undefined) return { type: "refused", reason };
      return meter.measure(() => askTwice(plain, question, turn));
    },
  };
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
  const failed = (problem: string) => ({ type: "failed", problem, model, costNanoUsd }) as const;
  if (isTooLong) return failed("The judge's answer was too long.");
  if (!response.ok) {
    const { kind, problem } = response.failure;
    if (kind === "budget") return { type: "refused", reason: problem };
    return failed(
      isTimedOut ? `The judge gave no answer within ${ANSWER_SECS} seconds.` : `The judge failed: ${problem}`,
    );
  }
  const text = textOf(response.message);
  return isReadable(text)
    ? { type: "answered", text, model, costNanoUsd }
    : failed("The judge's answer has no verdict.");
}

function sumCost(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
