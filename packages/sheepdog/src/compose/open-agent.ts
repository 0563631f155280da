import {
  type Ask,
  type AskAboutRun,
  type BashToolOptions,
  builtinTools,
  createGate,
  createRedact,
  createRuntime,
  DatabaseError,
  findAddress,
  type Gate,
  type GateOptions,
  type GateRule,
  type Model,
  type ModelSpec,
  memoryStores,
  outcomes,
  type Redact,
  type RunSpec,
  type Runtime,
  type RuntimeOptions,
  type Stores,
  type Tool,
} from "@sheepdog/agent";
import type { McpReview } from "@sheepdog/agent/mcp";
import type { Policy } from "@sheepdog/guardian";
import {
  createPrices,
  createRunPrices,
  type PricedModel,
  type PriceOverrides,
  type Prices,
  type RunPrices,
} from "@sheepdog/records";
import type { FlagValues } from "../config/flag-layer.ts";
import { buildRunPolicy } from "../config/policy/run-policy.ts";
import { recordSettings } from "../config/run-settings.ts";
import type { Config } from "../config/schema.ts";
import { exitCode } from "../exit-code.ts";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { chooseOpenTelemetry } from "../opentelemetry/settings.ts";
import { buildAgentSettings } from "./agent-settings.ts";
import { chooseModel, type ShownModelAddress } from "./choose-model.ts";
import { contextSize } from "./context-size.ts";
import { resolveLogFolder } from "./log-folder.ts";
import { lostAmountsProblem } from "./lost-amounts-problem.ts";
import type { OpenedMcp } from "./mcp/open-mcp.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openStores } from "./open-stores.ts";
import { openTracing } from "./open-tracing.ts";
import { permissionRules } from "./permission-rules.ts";
import { shownAddress } from "./provider/shown-address.ts";
import { chooseRoleModels } from "./role-models.ts";
import { secretValues } from "./secret-values.ts";
import { buildSystemPrompt } from "./system-prompt.ts";

/** What an agent is opened with. */
export interface OpenAgentOptions {
  readonly config: Config;
  readonly home: Home;
  readonly env: Io["env"];
  /** The workspace, as an absolute path. */
  readonly cwd: string;
  readonly attended: boolean;
  /** The settings that flags and the environment gave: they are saved with each run. */
  readonly given?: FlagValues;
  /** The permission rules in force; default: those of the configuration. */
  readonly rules?: readonly GateRule[];
  /** Asks the user to approve a call. Used only in attended runs. */
  readonly approve?: NonNullable<RuntimeOptions["approve"]>;
  /** Asks the user a question of the agent. Used only in attended runs. */
  readonly ask?: Ask;
  /** Asks the user how a run continues. Used only in attended runs. */
  readonly askAboutRun?: AskAboutRun;
  /** Asks the user about new and changed tools of MCP servers, before the first request. Used only in attended runs. */
  readonly approveTools?: (review: McpReview) => Promise<boolean>;
  /** Shows a sentence about an MCP server that became ready, or failed, after the start. */
  readonly say?: (sentence: string) => void;
  /** The prompt, if it is known: matching facts are added to the system prompt. */
  readonly about?: string;
}

/** An agent that is ready to run. */
export interface Agent {
  readonly runtime: Runtime;
  readonly policy: Policy;
  /** "anthropic:claude-…" */
  readonly model: string;
  /** The maximum size of a request; 0 if it has none. */
  readonly maxContextTokens: number;
  /** Whether the price of the model is known. Without a price, a budget cannot be enforced. */
  readonly isPriced: boolean;
  /** Whether commands run in a sandbox. */
  readonly isSandboxed: boolean;
  /** Say where requests for a model go, if that is not the provider's own address; for fallback models too. */
  readonly addressNotes: readonly string[];
  /** Sentences for stderr. */
  readonly notes: readonly string[];
  /** The MCP servers, if any are configured. */
  readonly mcp?: OpenedMcp;
  /** What a command that the user types runs with. */
  readonly shell: { readonly bash: Tool | undefined; readonly gate: Gate; readonly redact: Redact };
  close(): Promise<void>;
}

/** The agent, or sentences about why it cannot be opened and the exit code for that. */
export type OpenedAgent =
  | { readonly ok: true; readonly agent: Agent }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      readonly isModelMissing?: true;
      readonly exitCode: number;
    };

/** Builds the runtime from the configuration: model, policy, tools, gate, stores, logs. */
export async function openAgent(options: OpenAgentOptions): Promise<OpenedAgent> {
  const { config, env } = options;
  const policy = buildRunPolicy(config);
  if (!policy.ok) return usageError(policy.problems);
  const model = await chooseModel(config, env);
  if (!model.ok) return { ...usageError(model.problems), ...(model.isModelMissing ? { isModelMissing: true } : {}) };
  const roles = await chooseRoleModels(config, env);
  if (!roles.ok) return usageError(roles.problems);
  const prices = await loadPrices(config);
  if (typeof prices === "string") return usageError([prices]);
  const sandboxed = await openSandbox(options);
  if (!sandboxed.ok) return usageError([sandboxed.problem]);
  const { sandbox } = sandboxed;
  const mcp = await startMcp(options);
  if (typeof mcp === "string") return usageError([mcp]);
  const stores = await openHome(options);
  if (typeof stores === "string") {
    await mcp?.servers.close();
    return { ok: false, problems: [stores], exitCode: exitCode.failed };
  }
  const lost = await lostAmountsProblem(stores, policy.policy, Date.now());
  if (lost !== undefined) {
    await mcp?.servers.close();
    await stores.close();
    return { ok: false, problems: [lost], exitCode: outcomes.month_budget.exitCode };
  }
  const close = async () => {
    await mcp?.servers.close();
    await stores.close();
  };
  try {
    const firstModel = pricedModel(model.models[0]);
    const contextWindow = prices.contextWindow(firstModel);
    const maxContextTokens = contextSize(config.agent, contextWindow);
    const system = await buildSystemPrompt(stores, {
      ...options,
      maxLessons: config.security.max_safety_lessons,
    });
    const secrets = [...secretValues(config, env), ...(mcp?.secrets ?? [])];
    const telemetry = chooseOpenTelemetry(config.opentelemetry, env);
    await mcp?.servers.waitUntilReady(firstWaitMs);
    const redact = createRedact(secrets);
    const approval = approvalOptions(options);
    const tools = builtinTools({
      workspace: options.cwd,
      memory: stores.memory,
      bash: { ...bashOptions(config), ...(sandbox === undefined ? {} : { sandbox }) },
      redact,
      ...askOptions(options),
    });
    const runtime = createRuntime({
      secrets,
      ...approval,
      ...logOptions(options),
      ...priceOptions(config, createRunPrices(prices, [...model.models, ...roles.models], Date.now)),
      models: model.models,
      ...roles.options,
      tools,
      ...(mcp === undefined ? {} : { changingTools: () => mcp.servers.tools() }),
      subagents: true,
      workspace: options.cwd,
      system: system.text,
      settings: {
        ...buildAgentSettings(config),
        maxContextTokens,
        ...(contextWindow === undefined ? {} : { contextWindow }),
        requestContent: telemetry.isOn && config.opentelemetry.capture_content,
      },
      policy: policy.policy,
      stores,
      spec: runSpec(options, model.specs[0]),
    });
    const tracing = await openTracing(runtime, telemetry, { env, specs: model.specs });
    const notes = [...model.notes, ...roles.notes, ...system.problems];
    return {
      ok: true,
      agent: {
        runtime,
        policy: policy.policy,
        model: model.name,
        maxContextTokens,
        isPriced: prices.maxPrice({ ...firstModel, input: 1, maxOutput: 1 }) !== null,
        isSandboxed: sandbox !== undefined,
        addressNotes: [...model.addresses.map(addressNote), ...roles.addressNotes],
        notes: [...notes, ...tracing.notes, ...(mcp?.notes() ?? [])],
        ...(mcp === undefined ? {} : { mcp }),
        shell: { bash: tools.find(({ name }) => name === "bash"), gate: approval.gate, redact },
        async close() {
          await tracing.close();
          await close();
        },
      },
    };
  } catch (error) {
    await close();
    if (error instanceof RangeError) return usageError([error.message]); // a setting out of range
    throw error;
  }
}

/** The longest time for which the first request waits for MCP servers. */
const firstWaitMs = 5_000;

/** Starts the MCP servers. Loads nothing of MCP if there are none. Returns a sentence if that fails. */
async function startMcp(options: OpenAgentOptions): Promise<OpenedMcp | string | undefined> {
  const { config, attended, approveTools, ...rest } = options;
  if (Object.values(config.mcp.servers).every(({ enabled }) => enabled === false)) return undefined;
  const { openMcp } = await import("./mcp/open-mcp.ts");
  try {
    return await openMcp({ ...rest, config, ...(attended && approveTools !== undefined ? { approveTools } : {}) });
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // the approvals cannot be read
  }
}

/** What a run is started with, for the process that resumes it: with the model that was chosen, and its address. */
function runSpec({ config, env, attended, given = {} }: OpenAgentOptions, spec: ModelSpec): RunSpec {
  const { provider, modelId: model_id } = spec;
  const shown = shownAddress(spec, env);
  const hasSecret = shown !== undefined && shown !== new URL(findAddress(spec, env)).href;
  const base_url = hasSecret ? undefined : shown;
  const model = { ...config.model, provider, model_id, base_url } as Config["model"]; // the names of a known provider
  const { settings, omitted } = recordSettings({ ...config, model }, given);
  return {
    version: 1,
    isAttended: attended,
    settings,
    omitted: hasSecret ? [...omitted, "model.base_url"] : omitted,
  };
}

/** A proxy must not be used unnoticed. */
function addressNote({ name, address, isFallback }: ShownModelAddress): string {
  return `${isFallback ? "A fallback model" : "The model"} is ${name} at ${address}`;
}

function usageError(problems: readonly string[]): Extract<OpenedAgent, { readonly ok: false }> {
  return { ok: false, problems, exitCode: exitCode.usage };
}

/** The price list with the configured overrides; a sentence if an override is invalid. */
export async function loadPrices({ budget }: Config): Promise<Prices | string> {
  const overrides = budget.pricing_overrides as PriceOverrides; // the schema allows numbers only
  try {
    return await createPrices({ overrides });
  } catch (error) {
    return `budget: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Without overrides, the runtime uses the built-in price list itself. */
export function priceOptions({ budget }: Config, prices: RunPrices): Pick<RuntimeOptions, "price"> {
  if (Object.keys(budget.pricing_overrides).length === 0) return {};
  return { price: (model, usage) => prices.price(model, usage) };
}

function pricedModel({ modelId, provider }: Model): PricedModel {
  return { model: modelId, provider, at: Date.now() };
}

/** Opens the stores; returns a sentence if that fails. */
async function openHome({ config, home }: OpenAgentOptions): Promise<Stores | string> {
  if (!config.agent.checkpoint.enabled) return memoryStores();
  try {
    return await openStores(home, resolveLogFolder(config, home));
  } catch (error) {
    if (error instanceof DatabaseError) return error.message;
    return `The database ${home.database} cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function approvalOptions({
  config: { security },
  home,
  attended,
  rules = permissionRules(security),
  approve,
  askAboutRun,
}: OpenAgentOptions): Pick<RuntimeOptions, "attended" | "approve" | "askAboutRun" | "answerTimeoutMs"> & {
  readonly gate: Gate;
} {
  const canApprove = attended && approve !== undefined;
  return {
    attended,
    gate: createGate({ attended: canApprove, rules, protectedFolders: [home.dir], ...unattendedCode(security) }),
    ...(canApprove ? { approve } : {}),
    ...(askAboutRun === undefined ? {} : { askAboutRun }),
    ...answerTimeout(security),
  };
}

/** Without the key, the gate decides by the workspace. */
export function unattendedCode({ unattended_code: code }: Config["security"]): Pick<GateOptions, "unattendedCode"> {
  return code === undefined ? {} : { unattendedCode: code };
}

function askOptions({ config: { security }, attended, ask }: OpenAgentOptions): {
  readonly ask?: Ask;
  readonly answerTimeoutMs?: number;
} {
  return attended && ask !== undefined ? { ask, ...answerTimeout(security) } : {};
}

/** 0 seconds: waits without limit. */
function answerTimeout({ approval_timeout_secs: secs }: Config["security"]): { readonly answerTimeoutMs?: number } {
  return secs === 0 ? {} : { answerTimeoutMs: secs * 1_000 };
}

/** The model may ask for up to five times the usual time for a command: builds can be slow. */
function bashOptions({ agent }: Config): BashToolOptions {
  const timeoutMs = agent.tool_timeout_secs * 1_000;
  return { timeoutMs, maxTimeoutMs: Math.min(5 * timeoutMs, 2_000_000_000) };
}

function logOptions({ config, home }: OpenAgentOptions): Pick<RuntimeOptions, "log"> {
  const { level } = config.agent.log;
  return level === 0 ? {} : { log: { dir: resolveLogFolder(config, home), level } };
}
