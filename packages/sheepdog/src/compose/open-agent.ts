import {
  type Ask,
  type BashToolOptions,
  builtinTools,
  createGate,
  createRuntime,
  DamagedDatabaseError,
  DatabaseError,
  type Focus,
  type Model,
  memoryStores,
  type Runtime,
  type RuntimeOptions,
} from "@sheepdog/agent";
import type { Policy } from "@sheepdog/guardian";
import {
  createPrices,
  createRunPrices,
  type PricedModel,
  type PriceOverrides,
  type Prices,
  type RunPrices,
} from "@sheepdog/records";
import { buildRunPolicy } from "../config/policy/run-policy.ts";
import type { Config } from "../config/schema.ts";
import { exitCode } from "../exit-code.ts";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { buildAgentSettings } from "./agent-settings.ts";
import { chooseModel } from "./choose-model.ts";
import { resolveLogFolder } from "./log-folder.ts";
import { type OpenedHome, openStores } from "./open-stores.ts";
import { pausingGate } from "./pausing-gate.ts";
import { buildSystemPrompt } from "./system-prompt.ts";
import { approveWithTimeout, askWithTimeout } from "./with-timeout.ts";

/** What an agent is opened with. */
export interface OpenAgentOptions {
  readonly config: Config;
  readonly home: Home;
  readonly env: Io["env"];
  /** Absolute: the workspace. */
  readonly cwd: string;
  readonly attended: boolean;
  /** Asked about calls, where somebody watches. */
  readonly approve?: NonNullable<RuntimeOptions["approve"]>;
  /** Asked by the agent itself. */
  readonly ask?: Ask;
  /** What it is opened for, as far as that is known: facts that fit are remembered. */
  readonly about?: string;
  /** The goal, where there is one. */
  readonly focus?: Focus;
}

/** An agent, ready to run. */
export interface Agent {
  readonly runtime: Runtime;
  readonly policy: Policy;
  /** "anthropic:claude-…" */
  readonly model: string;
  /** The context a request may fill. */
  readonly maxContextTokens: number;
  /** Whether the price of the model is known: without it no limit of money can be held. */
  readonly isPriced: boolean;
  /** Sentences for stderr. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** The agent, or sentences about why there is none. `exitCode` is what a command ends with then. */
export type OpenedAgent =
  | { readonly ok: true; readonly agent: Agent }
  | { readonly ok: false; readonly problems: readonly string[]; readonly hasNoModel?: true; readonly exitCode: number };

/** Puts the runtime together as the configuration says: model, policy, tools, gate, stores, logs. */
export async function openAgent(options: OpenAgentOptions): Promise<OpenedAgent> {
  const { config, env } = options;
  const chosen = buildRunPolicy(config);
  if (!chosen.ok) return wrong(chosen.problems);
  const model = await chooseModel(config, env);
  if (!model.ok) return { ...wrong(model.problems), ...(model.hasNoModel ? { hasNoModel: true } : {}) };
  const prices = await pricesOf(config);
  if (typeof prices === "string") return wrong([prices]);
  const opened = await storesOf(options);
  if (typeof opened === "string") return { ok: false, problems: [opened], exitCode: exitCode.failed };
  try {
    const first = pricedModel(model.models[0]);
    const maxContextTokens = Math.min(
      config.agent.max_context_tokens,
      prices.contextWindow(first) ?? Number.POSITIVE_INFINITY,
    );
    const isPriced = prices.maxPrice({ ...first, input: 1, maxOutput: 1 }) !== null;
    const system = await buildSystemPrompt(options.cwd, opened.stores.memory, options);
    const runtime = createRuntime({
      ...whoWatches(options),
      ...logOf(options),
      ...priceOf(config, createRunPrices(prices, model.models, Date.now)),
      models: model.models,
      tools: builtinTools({
        workspace: options.cwd,
        memory: opened.stores.memory,
        bash: bashTimes(config),
        ...askOf(options),
      }),
      subagents: true,
      workspace: options.cwd,
      system: system.text,
      settings: { ...buildAgentSettings(config), maxContextTokens },
      policy: chosen.policy,
      stores: opened.stores,
    });
    const notes = [...opened.notes, ...model.notes, ...system.problems];
    return {
      ok: true,
      agent: {
        runtime,
        policy: chosen.policy,
        model: model.name,
        maxContextTokens,
        isPriced,
        notes,
        close: () => opened.stores.close(),
      },
    };
  } catch (error) {
    await opened.stores.close();
    if (error instanceof RangeError) return wrong([error.message]); // a setting that could not hold
    throw error;
  }
}

function wrong(problems: readonly string[]): Extract<OpenedAgent, { readonly ok: false }> {
  return { ok: false, problems, exitCode: exitCode.usage };
}

/** Listed prices with those of the configuration before them; a sentence where one of these cannot be a price. */
async function pricesOf({ budget }: Config): Promise<Prices | string> {
  try {
    return await createPrices({ overrides: budget.pricing_overrides as PriceOverrides }); // a price that is there is a number
  } catch (error) {
    return `budget: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Without prices of the configuration the listed ones hold by themselves. */
function priceOf({ budget }: Config, prices: RunPrices): Pick<RuntimeOptions, "price"> {
  return Object.keys(budget.pricing_overrides).length === 0
    ? {}
    : { price: (model, usage) => prices.price(model, usage) };
}

function pricedModel({ modelId, provider }: Model): PricedModel {
  return { model: modelId, provider, at: Date.now() };
}

/** What is kept, or a sentence about why nothing can be. */
async function storesOf({ config, home }: OpenAgentOptions): Promise<OpenedHome | string> {
  if (!config.agent.checkpoint.enabled) return { stores: memoryStores(), notes: [] };
  try {
    return await openStores(home, resolveLogFolder(config, home));
  } catch (error) {
    if (error instanceof DatabaseError || error instanceof DamagedDatabaseError) return error.message;
    return `The database ${home.database} cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Who is asked about calls, and what is asked about. */
function whoWatches({
  config: { security },
  attended,
  approve,
}: OpenAgentOptions): Pick<RuntimeOptions, "attended" | "approve" | "gate"> {
  const asked = attended && approve !== undefined;
  return {
    attended,
    gate: pausingGate(createGate({ attended: asked }), security.pause_before, asked),
    ...(asked ? { approve: approveWithTimeout(approve, security.approval_timeout_secs) } : {}),
  };
}

function askOf({ config: { security }, attended, ask }: OpenAgentOptions): { readonly ask?: Ask } {
  return attended && ask !== undefined ? { ask: askWithTimeout(ask, security.approval_timeout_secs) } : {};
}

/** A command ends when a call does, unless the model asks for more time: builds take theirs. */
function bashTimes({ agent }: Config): BashToolOptions {
  const timeoutMs = agent.tool_timeout_secs * 1_000;
  return { timeoutMs, maxTimeoutMs: Math.min(5 * timeoutMs, 2_000_000_000) };
}

function logOf({ config, home }: OpenAgentOptions): Pick<RuntimeOptions, "log"> {
  const { level } = config.agent.log;
  return level === 0 ? {} : { log: { dir: resolveLogFolder(config, home), level } };
}
