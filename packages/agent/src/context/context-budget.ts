import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { keepShape } from "../async/keep-shape.ts";
import type { AssistantMessage, Message } from "../protocol/messages.ts";
import { jsonOf } from "./safe-json.ts";
import { checkMaxTokens } from "./thresholds.ts";
import { createTokenCounter, type TokenCounter } from "./token-counter.ts";

/** A tool as the model is told of it. */
export type ToolDefinition = Pick<LanguageModelV3FunctionTool, "name" | "description" | "inputSchema">;

/** How much of the context a request takes up. */
export interface ContextUse {
  readonly tokens: number;
  /** The part of it that was counted here rather than told by the provider. */
  readonly counted: number;
  /** Of the whole context; may be above 100. */
  readonly percent: number;
}

/** Knows how full the context is. */
export interface ContextBudget {
  readonly maxTokens: number;
  measure(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): ContextUse;
  total(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): number;
  /** Forgets the list measured last: what comes next was made anew. */
  forget(): void;
}

/**
 * Accounts for a list of messages that grows. What the provider said of the newest reply is the truth for everything up to it; only what came after is
 * counted here. Of a list measured before only the new messages are looked at, so a turn costs the same however many came before it.
 */
export function createContextBudget({
  maxTokens,
  counter,
}: {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}): ContextBudget {
  checkMaxTokens(maxTokens);
  return new MeasuredContext(maxTokens, counter);
}

class MeasuredContext implements ContextBudget {
  readonly maxTokens: number;
  private readonly counter: TokenCounter;
  private fixed: FixedPart | undefined = undefined;
  private known: Known | undefined = undefined;

  constructor(maxTokens: number, counter: TokenCounter) {
    this.maxTokens = maxTokens;
    this.counter = counter;
  }

  measure(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): ContextUse {
    const { counter, known, maxTokens } = this;
    const start = continues(known, messages, counter.isExact) ? known : undefined;
    const from = start === undefined ? 0 : start.length;
    const newest = newestReplyFrom(messages, from);
    const truth = newest < 0 ? undefined : toldBy(messages, newest, start === undefined);
    const base = truth ?? start?.tokens ?? this.fixedTokens(system, tools);
    const more = this.countFrom(messages, truth === undefined ? from : newest + 1);
    const tokens = base + more;
    const counted = (truth === undefined ? (start?.counted ?? base) : 0) + more;
    this.known = {
      tokens,
      counted,
      length: messages.length,
      last: messages[messages.length - 1],
      isExact: counter.isExact,
    };
    return { tokens, counted, percent: (tokens / maxTokens) * 100 };
  }

  total(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): number {
    return this.measure(messages, system, tools).tokens;
  }

  forget(): void {
    this.known = undefined;
  }

  private countFrom(messages: readonly Message[], from: number): number {
    let tokens = 0;
    for (let index = from; index < messages.length; index += 1)
      tokens += this.counter.countMessage(messages[index] as Message); // in bounds
    return tokens;
  }

  /** The system text and the tools, counted again only when they are others. */
  private fixedTokens(system: string, tools: readonly ToolDefinition[]): number {
    const { counter, fixed } = this;
    if (fixed?.system === system && fixed.tools === tools && fixed.isExact === counter.isExact) return fixed.tokens;
    const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const tokens = counter.countText(system) + (sent.length === 0 ? 0 : counter.countText(jsonOf(sent)));
    this.fixed = { system, tools, isExact: counter.isExact, tokens };
    return tokens;
  }
}

interface FixedPart {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly isExact: boolean;
  readonly tokens: number;
}

/** What was found out about a list, for when it comes again with more. */
interface Known {
  readonly tokens: number;
  readonly counted: number;
  readonly length: number;
  readonly last: Message | undefined;
  readonly isExact: boolean;
}

/** Estimates are not carried on once exact counts are to be had. */
function continues(known: Known | undefined, messages: readonly Message[], isExact: boolean): known is Known {
  if (known === undefined || known.length === 0 || messages.length < known.length) return false;
  return messages[known.length - 1] === known.last && (known.isExact === isExact || known.counted === 0);
}

/** Where the newest reply is; -1 where there is none. */
function newestReplyFrom(messages: readonly Message[], from: number): number {
  for (let index = messages.length - 1; index >= from; index -= 1)
    if (messages[index]?.role === "assistant") return index;
  return -1;
}

/** What the provider told with the reply at an index. In a list that was not seen growing, a compaction may have come in between. */
function toldBy(messages: readonly Message[], index: number, isNew: boolean): number | undefined {
  const reply = messages[index];
  if (reply?.role !== "assistant" || (isNew && wasCompacted(messages, reply))) return undefined;
  return toldUsage(reply);
}

/** What the provider told of the context up to and with this reply, unless the figures were made here or make no sense. */
function toldUsage({ usage }: AssistantMessage): number | undefined {
  const tokens = usage.input + usage.output;
  return usage.isEstimated || !Number.isSafeInteger(tokens) || usage.input <= 0 || usage.output < 0
    ? undefined
    : tokens;
}

/** A context that only grows is told larger with every reply. Where an earlier reply saw more than the newest, the newest did not see all of this list. */
function wasCompacted(messages: readonly Message[], newest: AssistantMessage): boolean {
  const told = toldUsage(newest) ?? 0;
  return messages.some((message) => message.role === "assistant" && (toldUsage(message) ?? 0) > told);
}

keepShape(new MeasuredContext(1, createTokenCounter()));
