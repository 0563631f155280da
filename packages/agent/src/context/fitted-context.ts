import { untilAborted } from "../async/until-aborted.ts";
import type { MessageCache } from "../protocol/message-cache.ts";
import type { Message } from "../protocol/messages.ts";
import { pairCalls } from "../protocol/paired-messages.ts";
import { maxEstimateError } from "../protocol/token-estimate.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { type ContextBudget, type ContextUse, createContextBudget } from "./context-budget.ts";
import { findPromptOverflow, type PromptOverflow } from "./prompt-overflow.ts";
import { compact } from "./strategies/compact.ts";
import { slidingWindow } from "./strategies/sliding-window.ts";
import type { CompactionInput, CompactionResult, StrategyName, Summarize } from "./strategies/strategy.ts";
import { summarize } from "./strategies/summarize.ts";
import { checkMaxTokens, compactPercent, defaultMinTail, percentOf, shareOf, targetPercent } from "./thresholds.ts";
import type { TokenCounter } from "./token-counter.ts";

export interface FitOptions {
  /** The messages of the previous fit and the new ones, or a history that was just loaded. */
  readonly messages: readonly Message[];
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** 0: no limit, and nothing is compacted. */
  readonly maxTokens: number;
  readonly strategy: StrategyName;
  readonly minTail?: number;
  readonly counter: TokenCounter;
  /** Needed for the strategy `summarize`, which otherwise compacts. */
  readonly summarize?: Summarize;
  readonly signal: AbortSignal;
  /** Budget and cache of the conversation: with them, a fit reads only the new messages. */
  readonly budget?: ContextBudget;
  readonly cache?: MessageCache;
  /** Compacts in any case: the provider refused the request as too long. */
  readonly isRefused?: boolean;
  /** Messages that people wrote from this time on are never cut. */
  readonly runStartedAt?: number;
}

/** The messages to send, and how full they make the context. */
export interface FittedContext {
  readonly messages: readonly Message[];
  /** Tokens before and after compaction. */
  readonly before: number;
  readonly after: number;
  /** `after` as a share of the context. The guardian stops the run at 95. */
  readonly percent: number;
  readonly isCompacted: boolean;
  /** Why the strategy could not be followed. */
  readonly problem?: string;
  /** The prompts alone do not fit. Nothing was compacted, and the messages must not be sent. */
  readonly overflow?: PromptOverflow;
}

/**
 * Selects the messages to send: all of them below 85 % of the context, otherwise compacted towards 60 %. The history
 * itself does not change.
 */
export async function fitContext(options: FitOptions): Promise<FittedContext> {
  const { system, tools, maxTokens, counter, minTail = defaultMinTail, isRefused = false, cache } = options;
  checkMaxTokens(maxTokens);
  if (!Number.isSafeInteger(minTail) || minTail < 0)
    throw new RangeError(`minTail must be a whole number of messages, such as 6; it is ${minTail}.`);
  const budget = options.budget ?? createContextBudget({ maxTokens, counter });
  const messages = pairCalls(options.messages, cache);
  const use = await measureReliably(messages, budget, options);
  const before = use.tokens;
  const unchanged = { messages, before, after: before, percent: use.percent, isCompacted: false };
  if (maxTokens === 0 || (before <= percentOf(maxTokens, compactPercent) && !isRefused)) return unchanged;
  const overflow = isRefused ? undefined : findPromptOverflow({ ...options, messages });
  if (overflow !== undefined) return { ...unchanged, overflow };

  const fixedTokens = createContextBudget({ maxTokens, counter }).total([], system, tools);
  const scale = use.counted < before ? providerScale(before, fixedTokens + countAll(messages, counter)) : 1;
  // If a request below the limit was refused, the real context is smaller than configured: use the refused size.
  const size = isRefused ? Math.min(maxTokens, before) : maxTokens;
  const roomFor = (percent: number): number => Math.floor(percentOf(size, percent) / scale) - fixedTokens;
  const room = { target: roomFor(targetPercent), limit: roomFor(compactPercent), runStartedAt: options.runStartedAt };
  const input = { ...room, messages, minTail, counter };
  const { messages: compacted, problem } = await applyStrategy(input, options);
  const explained = problem === undefined ? {} : { problem };
  if (isSameList(compacted, messages)) return { ...unchanged, ...explained };

  budget.forget();
  const sent = compacted.map(withEstimatedUsage);
  const after = Math.ceil((fixedTokens + countAll(sent, counter)) * scale);
  return { messages: sent, before, after, percent: shareOf(maxTokens, after), isCompacted: true, ...explained };
}

/** Measures with estimates, and loads the tokenizer only if an estimate could be wrong about the limit. */
async function measureReliably(
  messages: readonly Message[],
  budget: ContextBudget,
  { system, tools, maxTokens, counter, signal }: FitOptions,
): Promise<ContextUse> {
  const estimate = budget.measure(messages, system, tools);
  if (counter.isExact || worstCase(estimate) <= percentOf(maxTokens, compactPercent)) return estimate;
  try {
    await untilAborted(counter.load(), signal);
  } catch {
    return estimate; // cancelled: nothing will be sent
  }
  // A long history that was just loaded is too large by any count. Most of it is left out and needs no exact count.
  return estimate.tokens > maxTokens * maxEstimateError ? estimate : budget.measure(messages, system, tools);
}

function worstCase({ tokens, counted }: ContextUse): number {
  return tokens + counted * (maxEstimateError - 1);
}

/** How many of the provider's tokens make one of ours, as models tokenize differently. At least 1, to be safe. */
function providerScale(reported: number, counted: number): number {
  return Math.min(maxEstimateError, Math.max(1, reported / Math.max(1, counted)));
}

async function applyStrategy(
  input: CompactionInput,
  { strategy, summarize: askForSummary, signal }: FitOptions,
): Promise<CompactionResult> {
  switch (strategy) {
    case "none": // the guardian stops a run whose context grows too large
      return { messages: input.messages };
    case "sliding_window":
      return { messages: slidingWindow(input) };
    case "compact":
      return { messages: compact(input) };
    case "summarize":
      return askForSummary === undefined
        ? { messages: compact(input), problem: "No model is available for the summary." }
        : summarize(input, askForSummary, signal);
    default:
      return strategy satisfies never;
  }
}

/** The usage reported with a reply covered messages that are left out now, so it does not describe this list. */
function withEstimatedUsage(message: Message): Message {
  if (message.role !== "assistant" || message.usage.isEstimated) return message;
  return { ...message, usage: { ...message.usage, isEstimated: true } };
}

function countAll(messages: readonly Message[], counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

function isSameList(a: readonly Message[], b: readonly Message[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index]);
}
