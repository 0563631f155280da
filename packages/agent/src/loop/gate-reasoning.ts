import { createTokenCounter } from "../context/token-counter.ts";
import type { GateDecision } from "../gate/gate.ts";
import { readReasoning } from "../gate/reasoning/read-reasoning.ts";
import { reasoningBrief } from "../gate/reasoning/reasoning-brief.ts";
import type { GateReasoning } from "../protocol/gate-reasoning.ts";
import { type CallPart, textOf } from "../protocol/messages.ts";
import type { Redact } from "../secrets/redact.ts";
import type { AgentRun } from "./agent-run.ts";
import { requestSize } from "./request-options.ts";
import { askShortQuestion, SHORT_ANSWER_SECS, type ShortAnswer, shortRequest } from "./short-question.ts";

/**
 * Adds what the model says about a call of tier 3 or 4 that is asked about or refused, if the settings want it. The
 * decision stays the same: a model cannot allow what the rules do not.
 */
export async function withReasoning(run: AgentRun, call: CallPart, decision: GateDecision): Promise<GateDecision> {
  const isWanted = run.setup.settings.gateReasoning === "model" && decision.decision !== "allow" && decision.tier >= 3;
  return isWanted ? { ...decision, reasoning: await askModel(run, call, decision) } : decision;
}

async function askModel(run: AgentRun, call: CallPart, decision: GateDecision): Promise<GateReasoning> {
  const { setup, guard } = run;
  if (guard.nearBudget()) return unsure("Not asked: little is left of the run's budget.");
  const counter = createTokenCounter();
  try {
    const brief = reasoningBrief({ task: setup.title, call, decision, redact: setup.redact });
    const request = shortRequest(setup, brief, "gate");
    const size = requestSize({ ...request, counter }, { ...request, purpose: "gate" });
    const answer = await askShortQuestion(run, { request, size, counter, signal: guard.decisionSignal() });
    return toReasoning(answer, setup.redact);
  } catch (error) {
    return unsure(`The model could not be asked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unsure(reason: string): GateReasoning {
  return { verdict: "unsure", reason };
}

function toReasoning({ response, costNanoUsd, isTooLong, isTimedOut }: ShortAnswer, redact: Redact): GateReasoning {
  const { model } = response;
  if (isTooLong) return { ...unsure("The answer of the model was too long."), model, costNanoUsd };
  if (response.ok) return { ...readReasoning(textOf(response.message), redact), model, costNanoUsd };
  const { kind, problem } = response.failure;
  if (kind === "budget") return unsure(`Not asked: ${problem}`);
  return unsure(isTimedOut ? `The model gave no answer within ${SHORT_ANSWER_SECS} seconds.` : problem);
}
