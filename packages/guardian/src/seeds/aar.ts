import { repeatedSteps } from "../detect/detectors/seed-aar.ts";
import { plainDigest } from "../perceive/hash.ts";
import { asText, readToolCalls, type ToolCall } from "./tool-calls.ts";

/** The rest of a longer value does not tell two calls apart. */
const LONGEST_VALUE = 200;

/** The settings of the guardrails. */
export interface GuardrailsConfig {
  /** How often a reply cut off at its token limit is continued; 0 is off. */
  readonly maxTokensRecoveries: number;
  /** How often a step may repeat the step before until the run is stuck: at 3, the fourth equal step; 0 is off. */
  readonly maxRepeatedToolSteps: number;
  /** The budget is near when this many tokens or fewer are left. */
  readonly reserveTokens: number;
  /** The budget is near when this share of the cost limit or less is left. */
  readonly reserveCostFraction: number;
}

/** The default settings. */
export const defaultGuardrails: GuardrailsConfig = {
  maxTokensRecoveries: 2,
  maxRepeatedToolSteps: 3,
  reserveTokens: 512,
  reserveCostFraction: 0.1,
};

/** The counters of a session, as a value that survives JSON. */
export interface GuardrailsState {
  readonly recoveries: number;
  readonly repeatedToolSteps: number;
  /** A hash of the last step's calls; no arguments are stored. */
  readonly toolSignature: string;
}

/** A saved state, or `{}` to start with; missing fields get their defaults. */
export type SavedGuardrails = Partial<GuardrailsState> | null | undefined;

/** Usage and budgets. Costs in any unit, as long as it is the same; a budget of 0, or none, is off. */
export interface GuardrailsUsage {
  readonly totalTokens?: number;
  readonly tokenBudget?: number;
  readonly totalCost?: number;
  readonly costLimit?: number;
}

/** A message to the model that is not shown to the user. */
export interface FollowupMessage {
  readonly role: "user";
  readonly content: string;
  readonly isInternal: true;
  readonly reason: "max_tokens_recovery";
}

/** Counts a step by its tool calls, before they are executed. A reply without calls is no step. */
export function observeToolCalls(
  saved: SavedGuardrails,
  toolCalls: readonly unknown[] | null | undefined,
): GuardrailsState {
  const state = filled(saved);
  const calls = readToolCalls(toolCalls);
  if (calls.length === 0) return state;
  const toolSignature = plainDigest.of(JSON.stringify(calls.map(partsOf).sort()));
  const isRepeated = repeatedSteps([state.toolSignature, toolSignature]) > 0;
  return { ...state, toolSignature, repeatedToolSteps: isRepeated ? state.repeatedToolSteps + 1 : 0 };
}

/** Whether the run should end instead of executing the last observed step. */
export function isStuck(saved: SavedGuardrails, config: Partial<GuardrailsConfig> = {}): boolean {
  const { maxRepeatedToolSteps } = checked(config);
  return maxRepeatedToolSteps > 0 && filled(saved).repeatedToolSteps >= maxRepeatedToolSteps;
}

/** Whether little is left of a budget: time to warn or to slow down. */
export function nearBudget(usage: GuardrailsUsage, config: Partial<GuardrailsConfig> = {}): boolean {
  const { reserveTokens, reserveCostFraction } = checked(config);
  const { totalTokens = 0, tokenBudget = 0, totalCost = 0, costLimit = 0 } = usage;
  return (
    (tokenBudget > 0 && tokenBudget - totalTokens <= reserveTokens) ||
    (costLimit > 0 && costLimit - totalCost <= reserveCostFraction * costLimit)
  );
}

/**
 * For a reply cut off at its token limit: the message that requests the rest, and the next state.
 * Undefined when all recoveries are used up.
 */
export function maxTokensFollowup(
  saved: SavedGuardrails,
  config: Partial<GuardrailsConfig> = {},
): { readonly state: GuardrailsState; readonly message: FollowupMessage } | undefined {
  const state = filled(saved);
  if (state.recoveries >= checked(config).maxTokensRecoveries) return undefined;
  const content =
    "Your last reply reached its length limit and was cut off. " +
    "Continue with the very next word: no apology, no summary, nothing said twice.";
  return {
    state: { ...state, recoveries: state.recoveries + 1 },
    message: { role: "user", content, isInternal: true, reason: "max_tokens_recovery" },
  };
}

/** A call as its tool and its sorted `key=value` pairs. */
function partsOf({ name, args }: ToolCall): string {
  const values =
    typeof args === "object" && args !== null
      ? Object.entries(args).map(([key, value]) => `${key}=${cut(value)}`)
      : [cut(args)];
  return JSON.stringify([name, ...values.sort()]);
}

function cut(value: unknown): string {
  return asText(value).slice(0, LONGEST_VALUE);
}

function filled(saved: SavedGuardrails): GuardrailsState {
  const { recoveries, repeatedToolSteps, toolSignature } = saved ?? {};
  return {
    recoveries: counted(recoveries),
    repeatedToolSteps: counted(repeatedToolSteps),
    toolSignature: String(toolSignature ?? ""),
  };
}

function counted(value: unknown): number {
  return Number.isInteger(value) ? Math.max(0, Number(value)) : 0;
}

function checked(config: Partial<GuardrailsConfig>): GuardrailsConfig {
  const all: GuardrailsConfig = { ...defaultGuardrails, ...config };
  for (const name of ["maxTokensRecoveries", "maxRepeatedToolSteps", "reserveTokens"] as const)
    if (!Number.isInteger(all[name]) || all[name] < 0)
      throw new RangeError(`Expected ${name} to be a whole number from 0 up, got ${String(all[name])}.`);
  if (!(all.reserveCostFraction >= 0 && all.reserveCostFraction <= 1))
    throw new RangeError(`Expected reserveCostFraction to be from 0 to 1, got ${String(all.reserveCostFraction)}.`);
  return all;
}
