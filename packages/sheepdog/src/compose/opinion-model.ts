import { createRuntime, type RunResult } from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import { type Brief, type Opinion, readOpinion } from "@sheepdog/guardian/opinion";
import { presets } from "@sheepdog/guardian/presets";
import { createRunPrices, type Prices } from "@sheepdog/records";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { type ChosenModel, chooseModel } from "./choose-model.ts";
import { newSessionId } from "./ids.ts";
import { loadPrices, priceOptions } from "./open-agent.ts";
import { SECOND_OPINION_MODEL } from "./role-models.ts";
import { withModel } from "./with-model.ts";

/** The answer to a question, or a sentence about why there is none; and what it cost. */
type ModelAnswer = {
  /** null if the price is unknown. */
  readonly costNanoUsd: number | null;
} & (
  | { readonly ok: true; readonly opinion: Opinion }
  | { readonly ok: false; readonly problem: string; readonly isOverLimit: boolean }
);

/** The configured model, to be asked for second opinions. */
export interface OpinionModel {
  /** "anthropic:claude-…" */
  readonly name: string;
  /** Sentences for stderr: where requests go, and which models cannot be used. */
  readonly notes: readonly string[];
  /** The usual cost of an answer; null if the price is unknown. */
  usualNanoUsd(question: Brief): number | null;
  /** The most that an answer can cost, with any of the models; null if a price is unknown. */
  maxNanoUsd(question: Brief): number | null;
  /** Asks one question. Once the attempts have cost `limitNanoUsd`, there is no further one. */
  ask(question: Brief, limitNanoUsd: number | undefined): Promise<ModelAnswer>;
}

export type OpenedOpinionModel =
  | { readonly ok: true; readonly model: OpinionModel }
  | { readonly ok: false; readonly problems: readonly string[]; readonly isModelMissing?: true };

const CHARS_PER_TOKEN = 4;
/** Low enough for text in any language. */
const MIN_BYTES_PER_TOKEN = 3;
/** Tokens of a usual answer: the verdict and a sentence. */
const USUAL_ANSWER_TOKENS = 60;
/** Leaves room for models that think before they answer. */
const MAX_ANSWER_TOKENS = 2_000;

/** Opens the model that `run` would ask: that of `agent.guardian.second_opinion_model`, or its own. */
export async function openOpinionModel(config: Config, env: Io["env"]): Promise<OpenedOpinionModel> {
  const name = config.agent.guardian.second_opinion_model;
  const changed = name === undefined ? undefined : withModel(config, name, SECOND_OPINION_MODEL);
  if (changed?.ok === false) return { ok: false, problems: [changed.problem] };
  const chosen = await chooseModel(changed === undefined ? config : { ...changed.config, fallback_models: [] }, env);
  if (!chosen.ok) return chosen;
  const prices = await loadPrices(config);
  if (typeof prices === "string") return { ok: false, problems: [prices] };
  return { ok: true, model: createOpinionModel(config, chosen, prices) };
}

function createOpinionModel(config: Config, chosen: Extract<ChosenModel, { ok: true }>, prices: Prices): OpinionModel {
  const { models, name, addresses, notes } = chosen;
  const [{ modelId: model, provider }] = models;
  return {
    name,
    notes: [...addresses.map((shown) => `The model is ${shown.name} at ${shown.address}`), ...notes],
    usualNanoUsd({ system, prompt }) {
      const input = Math.ceil((system.length + prompt.length) / CHARS_PER_TOKEN);
      const usage = { input, cacheRead: 0, cacheWrite: 0, output: USUAL_ANSWER_TOKENS };
      return prices.price({ model, provider, at: Date.now(), usage });
    },
    maxNanoUsd({ system, prompt }) {
      const input = Math.ceil(Buffer.byteLength(system + prompt) / MIN_BYTES_PER_TOKEN);
      const costs = models.map((each) =>
        prices.maxPrice({
          model: each.modelId,
          provider: each.provider,
          at: Date.now(),
          input,
          maxOutput: MAX_ANSWER_TOKENS,
        }),
      );
      return costs.reduce((max, cost) => (max === null || cost === null ? null : Math.max(max, cost)));
    },
    async ask({ system, prompt }, limitNanoUsd) {
      const runtime = createRuntime({
        ...priceOptions(config, createRunPrices(prices, models, Date.now)),
        models,
        system,
        attended: false,
        policy: { ...presets.off, limits: moneyLimit(limitNanoUsd) },
        settings: {
          maxTurns: 1,
          maxDurationSecs: 120,
          maxOutputTokens: MAX_ANSWER_TOKENS,
          maxRetries: config.model.max_retries ?? 3,
          maxTokensRecoveries: 0,
          maxEmptyReplies: 0,
          reserveTokens: 0,
          reserveCostFraction: 0,
          stream: config.model.stream,
        },
      });
      return answerOf(await runtime.run(newSessionId(), prompt).result);
    },
  };
}

/** The limit of a run may be exceeded by its last request, so it prevents retries only. */
function moneyLimit(limitNanoUsd: number | undefined): Policy["limits"] {
  return limitNanoUsd === undefined ? {} : { "run-cost": { stop: limitNanoUsd } };
}

function answerOf({ reason, text, problem, costNanoUsd }: RunResult): ModelAnswer {
  if (reason === "answered") return { ok: true, opinion: readOpinion(text), costNanoUsd };
  return { ok: false, problem: problem ?? text, isOverLimit: reason === "run_budget", costNanoUsd };
}
