import { createTokenCounter } from "../context/token-counter.ts";
import type { GateDecision } from "../gate/gate.ts";
import { readReasoning } from "../gate/reasoning/read-reasoning.ts";
import { reasoningBrief } from "../gate/reasoning/reasoning-brief.ts";
import type { GateReasoning } from "../protocol/gate-reasoning.ts";
import { createMessageCache } from "../protocol/message-cache.ts";
import { type CallPart, textOf, type UserMessage } from "../protocol/messages.ts";
import type { ModelRequest, ModelResponse } from "../provider/model-request.ts";
import type { AgentRun, RunSetup } from "./agent-run.ts";
import { answerTimeout } from "./answer-timeout.ts";
import { internalRequestOptions, requestSize } from "./request-options.ts";

/** Leaves room for models that think before they answer. */
const MAX_OUTPUT_TOKENS = 1_000;
/** A longer answer is cut off: a server may ignore the maximum. */
const MAX_ANSWER_CHARS = 16_000;
const TIMEOUT_SECS = 30;

/**
 * Adds what the model says about a call of tier 3 or 4 that is asked about or refused, if the settings want it. The
 * decision stays the same: a model cannot allow what the rules do not.
 */
export async function withReasoning(run: AgentRun, call: CallPart, decision: GateDecision): Promise<GateDecision> {
  const isWanted = run.setup.settings.gateReasoning === "model" && decision.decision !== "allow" && decision.tier >= 3;
  return isWanted ? { ...decision, reasoning: await askModel(run, call, decision) } : decision;
}

async function askModel(run: AgentRun, call: CallPart, decision: GateDecision): Promise<GateReasoning> {
  const { setup, spending, guard } = run;
  if (guard.nearBudget()) return unsure("Not asked: little is left of the run's budget.");
  const { signal, stop, isTimedOut } = answerTimeout(setup.clock, TIMEOUT_SECS, guard.decisionSignal());
  const counter = createTokenCounter();
  let costNanoUsd: number | null = 0;
  let answerChars = 0;
  try {
    const request = modelRequest(run, call, decision);
    const size = requestSize({ ...request, counter }, { ...request, purpose: "gate" });
    const response = await setup.requestModel(request, {
      ...internalRequestOptions(run, { signal, size, counter }),
      maxRetries: 0,
      cache: createMessageCache(),
      reserve: ({ modelId }) => spending.reserveOptional(modelId, size),
      recordUsage(used) {
        const cost = spending.settle({ ...used, purpose: "gate" });
        costNanoUsd = cost === null || costNanoUsd === null ? null : costNanoUsd + cost;
      },
      onDelta(_channel, text) {
        answerChars += text.length;
        return answerChars > MAX_ANSWER_CHARS ? { interrupt: 0 } : "continue";
      },
    });
    if (answerChars > MAX_ANSWER_CHARS)
      return { ...unsure("The answer of the model was too long."), model: response.model, costNanoUsd };
    return toReasoning(response, { costNanoUsd, isTimedOut: isTimedOut(), redact: setup.redact });
  } catch (error) {
    return unsure(`The model could not be asked: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    stop();
  }
}

function unsure(reason: string): GateReasoning {
  return { verdict: "unsure", reason };
}

/** The question as a request without tools. */
function modelRequest({ setup }: AgentRun, call: CallPart, decision: GateDecision): ModelRequest {
  const { title, clock, redact } = setup;
  const { system, prompt } = reasoningBrief({ task: title, call, decision, redact });
  const message: UserMessage = {
    role: "user",
    id: clock.newId("msg"),
    at: clock.now(),
    origin: "automatic",
    reason: "gate",
    text: prompt,
  };
  return { system, messages: [message], tools: [], maxOutputTokens: MAX_OUTPUT_TOKENS };
}

interface AnswerContext extends Pick<RunSetup, "redact"> {
  readonly costNanoUsd: number | null;
  readonly isTimedOut: boolean;
}

function toReasoning(response: ModelResponse, { costNanoUsd, isTimedOut, redact }: AnswerContext): GateReasoning {
  const { model } = response;
  if (response.ok) return { ...readReasoning(textOf(response.message), redact), model, costNanoUsd };
  const { kind, problem } = response.failure;
  if (kind === "budget") return unsure(`Not asked: ${problem}`);
  return unsure(isTimedOut ? `The model gave no answer within ${TIMEOUT_SECS} seconds.` : problem);
}
