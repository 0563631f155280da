import type { OpinionRequest } from "@sheepdog/guardian";
import { type Opinion, opinionBrief, readOpinion } from "@sheepdog/guardian/opinion";
import { onAbort } from "../async/on-abort.ts";
import { createTokenCounter } from "../context/token-counter.ts";
import type { RequestSize } from "../costs/budget-check.ts";
import { textOf } from "../protocol/messages.ts";
import type { ModelRequest } from "../provider/model-request.ts";
import type { Redact } from "../secrets/redact.ts";
import type { AgentRun } from "./agent-run.ts";
import { briefCalls } from "./brief-calls.ts";
import { opinionRefusal } from "./opinion-budget.ts";
import { requestSize } from "./request-options.ts";
import {
  askShortQuestion,
  SHORT_ANSWER_SECS,
  type ShortAnswer,
  type ShortQuestion,
  shortRequest,
} from "./short-question.ts";

/** Tokens of a usual answer: the verdict, a sentence, and some thinking. */
const USUAL_OUTPUT_TOKENS = 200;

/**
 * Asks a model whether the agent is stuck, beside the turns: the run does not wait for it, and the answer goes to the
 * guardian. One question at a time. The answer to a question that cannot be asked, or that fails, is `unsure`.
 */
export interface SecondOpinion {
  /** Returns at once. The question and its answer are published. A request without an effect is not asked. */
  ask(request: OpinionRequest): void;
  /** Ends the open question. Resolves when its cost is recorded; nothing is asked afterwards. */
  end(): Promise<void>;
}

type AskingRun = Pick<AgentRun, "setup" | "history" | "spending" | "guard" | "events">;

/** An opinion, and how it came about. */
interface Answer extends Opinion {
  readonly model?: string;
  readonly costNanoUsd?: number | null;
  /** Why no model was asked. */
  readonly skipped?: string;
  /** Why the model gave no answer. */
  readonly problem?: string;
}

export function createSecondOpinion(run: AskingRun): SecondOpinion {
  const { guard, events } = run;
  const ended = new AbortController();
  const askModel = createAsking(run, ended.signal);
  const answers = new Set<Promise<void>>();
  onAbort(guard.signal, () => ended.abort());

  async function answer({ id }: OpinionRequest, answering: Promise<Answer>): Promise<void> {
    try {
      const given = await answering;
      const { verdict, advice } = given;
      events.emit({ type: "OpinionGiven", request: id, ...given });
      guard.observe({ type: "opinion", request: id, verdict, ...(advice === undefined ? {} : { advice }) });
    } catch (error) {
      guard.fail(`The second opinion failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    ask(request) {
      if (!request.isApplied || ended.signal.aborted) return;
      events.emit({ type: "OpinionAsked", request });
      const answered = answer(request, askModel(request)).finally(() => answers.delete(answered));
      answers.add(answered);
    },
    async end() {
      ended.abort();
      await Promise.all(answers);
    },
  };
}

/** Returns the function that asks a model. A question that fails is answered with `unsure`. */
function createAsking(run: AskingRun, runEnd: AbortSignal): (request: OpinionRequest) => Promise<Answer> {
  const { setup, spending, guard } = run;
  const counter = createTokenCounter();
  const isSubagent = setup.billingSessionId !== setup.sessionId;
  let isOpen = false;
  let asked = 0;
  let spentNanoUsd = 0;

  async function askModel(request: ModelRequest, size: ShortQuestion["size"]): Promise<Answer> {
    const answer = await askShortQuestion(run, {
      request,
      size,
      counter,
      signal: runEnd,
      options: {
        models: setup.opinionModels,
        // The turn continues: the guardian watches its stream, and its commits save the usage.
        saveUsage: async () => {},
        onWaiting: () => {},
        onAttemptStart: () => {},
      },
    });
    spentNanoUsd += answer.costNanoUsd ?? 0;
    return toAnswer(answer, setup.redact);
  }

  /** Undefined when the question may be asked. */
  function refusal(request: ModelRequest, size: RequestSize): string | undefined {
    if (isOpen) return "another question is open";
    const usualSize = { ...size, maxOutputTokens: Math.min(request.maxOutputTokens, USUAL_OUTPUT_TOKENS) };
    const usualNanoUsd = spending.maxCost(setup.opinionModels[0]?.modelId ?? "", usualSize);
    return opinionRefusal(guard, spending, { usualNanoUsd, asked, spentNanoUsd, isSubagent });
  }

  return async (opinionRequest) => {
    let isAsking = false;
    try {
      const request = modelRequest(run, opinionRequest);
      const size = requestSize({ ...request, counter }, { ...request, purpose: "opinion" });
      const skipped = refusal(request, size);
      if (skipped !== undefined) return { verdict: "unsure", skipped };
      isOpen = isAsking = true;
      asked += 1;
      return await askModel(request, size);
    } catch (error) {
      return { verdict: "unsure", problem: error instanceof Error ? error.message : String(error) };
    } finally {
      if (isAsking) isOpen = false;
    }
  };
}

/** The question as a request. It shows the calls up to now, without secrets. */
function modelRequest({ setup, history }: AskingRun, request: OpinionRequest): ModelRequest {
  const { title, startedAt, redact } = setup;
  const calls = briefCalls(history.messages, startedAt, redact);
  return shortRequest(setup, opinionBrief({ task: title, calls, request, redact }), "second_opinion");
}

function toAnswer({ response, costNanoUsd, isTooLong, isTimedOut }: ShortAnswer, redact: Redact): Answer {
  const { model } = response;
  if (isTooLong) return { verdict: "unsure", problem: "the answer of the model was too long", model, costNanoUsd };
  if (response.ok) {
    const text = textOf(response.message);
    const { verdict, advice } = readOpinion(text);
    const safeAdvice = advice === undefined ? {} : { advice: redact(advice) };
    const isUnclear = verdict === "unsure" && !/unsure/i.test(text);
    const problem = isUnclear ? { problem: "the answer of the model has no verdict" } : {};
    return { verdict, ...safeAdvice, ...problem, model, costNanoUsd };
  }
  const { kind, problem } = response.failure;
  if (kind === "budget") return { verdict: "unsure", skipped: `over budget: ${problem}` };
  const reason = isTimedOut ? `there was no answer within ${SHORT_ANSWER_SECS} seconds` : problem;
  return { verdict: "unsure", problem: reason, model, costNanoUsd };
}
