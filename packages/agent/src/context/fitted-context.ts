import { untilAborted } from "../async/until-aborted.ts";
import type { Message } from "../protocol/messages.ts";
import { pairCalls } from "../protocol/paired-messages.ts";
import { type ContextBudget, type ContextUse, createContextBudget, type ToolDefinition } from "./context-budget.ts";
import { compact } from "./strategies/compact.ts";
import { none } from "./strategies/none.ts";
import { slidingWindow } from "./strategies/sliding-window.ts";
import type { Crowded, StrategyName, Summarize } from "./strategies/strategy.ts";
import { type Summarized, summarize } from "./strategies/summarize.ts";
import { aimPercent, checkMaxTokens, compactPercent, defaultMinTail, shareOf } from "./thresholds.ts";
import type { TokenCounter } from "./token-counter.ts";

export interface FitOptions {
  /** What was sent last, with what came since: the messages of the fit before and the new ones, or a history just loaded. */
  readonly messages: readonly Message[];
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly maxTokens: number;
  readonly strategy: StrategyName;
  readonly minTail?: number;
  readonly counter: TokenCounter;
  /** Needed for `summarize`; without it that strategy compacts. */
  readonly summarize?: Summarize;
  readonly signal: AbortSignal;
  /** The same for all turns of a run, so that old messages are not looked at again. */
  readonly budget?: ContextBudget;
  /** The provider refused the request as too long, whatever was counted here: compacts in any case. */
  readonly isRefused?: boolean;
}

/** What to send, and how full that makes the context. */
export interface FittedContext {
  readonly messages: readonly Message[];
  readonly before: number;
  readonly after: number;
  /** `after` as a share of the whole; for the guardian, who stops at 95 what could not be brought below. */
  readonly percent: number;
  readonly isCompacted: boolean;
  /** Why the strategy asked for could not be followed. */
  readonly problem?: string;
}

/** The messages to send: as they are below 85 % of the context, otherwise brought down towards 60 %. The history itself is never changed. */
export async function fitContext(options: FitOptions): Promise<FittedContext> {
  const { maxTokens, counter, minTail = defaultMinTail, isRefused = false } = options;
  checkMaxTokens(maxTokens);
  if (!Number.isSafeInteger(minTail) || minTail < 0)
    throw new RangeError(`minTail has to be a whole number of messages, such as 6; it is ${minTail}.`);
  const budget = options.budget ?? createContextBudget({ maxTokens, counter });
  const asIs = isRefused ? undefined : fitAsIs({ ...options, budget });
  return asIs ?? makeRoom({ ...options, budget, minTail, isRefused });
}

/** The messages as they are, where it is sure without the tokenizer that there is room for them: nearly every turn. */
export function fitAsIs(options: Measured): FittedContext | undefined {
  const { maxTokens } = options;
  const messages = pairCalls(options.messages);
  const use = options.budget.measure(messages, options.system, options.tools);
  const { tokens } = use;
  if (tokens > shareOf(maxTokens, compactPercent) || !isGoodEnough(use, options)) return undefined;
  return { messages, before: tokens, after: tokens, percent: use.percent, isCompacted: false };
}

type Measured = Pick<FitOptions, "messages" | "system" | "tools" | "maxTokens" | "counter"> & {
  readonly budget: ContextBudget;
};

async function makeRoom(
  options: FitOptions & Measured & { readonly minTail: number; readonly isRefused: boolean },
): Promise<FittedContext> {
  const { system, tools, maxTokens, counter, strategy, signal, minTail, isRefused, budget } = options;
  const messages = pairCalls(options.messages);
  const rough = budget.measure(messages, system, tools);
  const use = isGoodEnough(rough, options) ? rough : await measureWell(options, messages, budget, rough);
  const before = use.tokens;
  if (before <= shareOf(maxTokens, compactPercent) && !isRefused)
    return fitted({ messages, before, after: before, maxTokens });

  const fixed = createContextBudget({ maxTokens, counter }).total([], system, tools);
  const scale = use.counted < use.tokens ? providersScale(before, fixed + tokensOf(messages, counter)) : 1;
  // Refused below the limit, the context is smaller than we were told: what was just refused is taken for its size.
  const size = isRefused ? Math.min(maxTokens, before) : maxTokens;
  const roomOf = (percent: number): number => Math.floor(shareOf(size, percent) / scale) - fixed;
  const crowded = { messages, aim: roomOf(aimPercent), limit: roomOf(compactPercent), minTail, counter };
  const { messages: short, problem } = await follow(strategy, crowded, options.summarize, signal);
  if (isSame(short, messages)) return fitted({ messages, before, after: before, maxTokens, problem });

  budget.forget();
  const sent = short.map(withEstimatedUsage);
  const after = Math.ceil((fixed + tokensOf(sent, counter)) * scale);
  return fitted({ messages: sent, before, after, maxTokens, isCompacted: true, problem });
}

/** An estimate of ours can be this much below the truth: base64 has nearly three tokens in four bytes. */
const estimatesError = 3;

/** The tokenizer is needed only where an estimate could be wrong about the limit. */
function isGoodEnough({ tokens, counted }: ContextUse, { maxTokens, counter }: Measured): boolean {
  const worst = tokens + counted * (estimatesError - 1);
  return counter.isExact || worst <= shareOf(maxTokens, compactPercent);
}

/** Measures by the tokenizer, which is loaded for it. */
async function measureWell(
  { system, tools, maxTokens, counter, signal }: FitOptions,
  messages: readonly Message[],
  budget: ContextBudget,
  rough: ContextUse,
): Promise<ContextUse> {
  try {
    await untilAborted(counter.load(), signal);
  } catch {
    return rough; // cancelled: what is sent does not matter any more
  }
  // A long history just loaded is too large by any count: most of it is left out, and not worth the time to count it exactly.
  return rough.tokens > maxTokens * estimatesError ? rough : budget.measure(messages, system, tools);
}

/** How many of the provider's tokens make one of ours: other models cut text up differently. Never below 1, to be on the safe side. */
function providersScale(told: number, counted: number): number {
  return Math.min(estimatesError, Math.max(1, told / Math.max(1, counted)));
}

async function follow(
  strategy: StrategyName,
  crowded: Crowded,
  ask: Summarize | undefined,
  signal: AbortSignal,
): Promise<Summarized> {
  switch (strategy) {
    case "none":
      return { messages: none(crowded) };
    case "sliding_window":
      return { messages: slidingWindow(crowded) };
    case "compact":
      return { messages: compact(crowded) };
    case "summarize":
      return ask === undefined
        ? { messages: compact(crowded), problem: "There is nothing to summarize with." }
        : summarize(crowded, ask, signal);
    default:
      return strategy satisfies never;
  }
}

/** What the provider told of a reply was about the messages before it, some of which are gone now: it is no truth about this list. */
function withEstimatedUsage(message: Message): Message {
  if (message.role !== "assistant" || message.usage.isEstimated) return message;
  return { ...message, usage: { ...message.usage, isEstimated: true } };
}

function tokensOf(messages: readonly Message[], counter: TokenCounter): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

function isSame(a: readonly Message[], b: readonly Message[]): boolean {
  return a.length === b.length && a.every((message, index) => message === b[index]);
}

interface Fit {
  readonly messages: readonly Message[];
  readonly before: number;
  readonly after: number;
  readonly maxTokens: number;
  readonly isCompacted?: boolean;
  readonly problem?: string | undefined;
}

function fitted({ messages, before, after, maxTokens, isCompacted = false, problem }: Fit): FittedContext {
  const context = { messages, before, after, percent: (after / maxTokens) * 100, isCompacted };
  return problem === undefined ? context : { ...context, problem };
}
