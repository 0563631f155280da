import type { Message } from "../protocol/messages.ts";
import { maxEstimateError } from "../protocol/token-estimate.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { createContextBudget } from "./context-budget.ts";
import { currentPrompts } from "./current-prompts.ts";
import { compactPercent, percentOf } from "./thresholds.ts";
import type { TokenCounter } from "./token-counter.ts";

/** The prompts of a run do not fit into its context, and prompts are never cut. */
export interface PromptOverflow {
  /** Tokens of the prompts. */
  readonly promptTokens: number;
  /** How many prompts these are: the first one, and messages that were sent to the run later. */
  readonly promptCount: number;
  /** Tokens that the system text and the tools leave for them. */
  readonly roomTokens: number;
  /** A context in which they fit, in whole thousands of tokens. */
  readonly neededTokens: number;
}

/** Added to the needed size: the system text of a resumed run may be longer, as it describes the folder of the run. */
const SYSTEM_RESERVE = 1_000;

export interface OverflowOptions {
  readonly messages: readonly Message[];
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** 0: no limit. */
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  readonly runStartedAt?: number | undefined;
}

/** Measures whether the prompts fit; undefined if they do. The part above 85 % is for replies and results. */
export function findPromptOverflow(options: OverflowOptions): PromptOverflow | undefined {
  const { maxTokens } = options;
  if (maxTokens === 0) return undefined;
  const { fixedTokens, promptTokens, promptCount } = measurePrompts(options);
  const roomTokens = Math.max(0, percentOf(maxTokens, compactPercent) - fixedTokens);
  if (promptTokens <= roomTokens) return undefined;
  const smallest = ((fixedTokens + promptTokens + SYSTEM_RESERVE) * 100) / compactPercent;
  const neededTokens = Math.ceil(smallest / 1_000) * 1_000;
  return { promptTokens, promptCount, roomTokens, neededTokens };
}

/** Whether an estimate could be wrong about the overflow, so that the tokenizer has to be loaded first. */
export function isOverflowUncertain(options: OverflowOptions): boolean {
  const { maxTokens, counter } = options;
  if (maxTokens === 0 || counter.isExact) return false;
  const { fixedTokens, promptTokens } = measurePrompts(options);
  return (fixedTokens + promptTokens) * maxEstimateError > percentOf(maxTokens, compactPercent);
}

function measurePrompts({ messages, system, tools, maxTokens, counter, runStartedAt }: OverflowOptions) {
  const prompts = [...currentPrompts(messages, runStartedAt)];
  return {
    fixedTokens: createContextBudget({ maxTokens, counter }).total([], system, tools),
    promptTokens: prompts.reduce((sum, message) => sum + counter.countMessage(message), 0),
    promptCount: prompts.length,
  };
}
