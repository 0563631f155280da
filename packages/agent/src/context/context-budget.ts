import type { AssistantMessage, Message } from "../protocol/messages.ts";
import { minEstimateShare } from "../protocol/token-estimate.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { toSafeJson } from "./safe-json.ts";
import { checkMaxTokens, shareOf } from "./thresholds.ts";
import { estimateMessage, type TokenCounter } from "./token-counter.ts";

/** How much of the context a request takes. */
export interface ContextUse {
  readonly tokens: number;
  /** The part of `tokens` that was counted here instead of reported by the provider. */
  readonly counted: number;
  /** Share of the context; may be above 100. 0 for a context without a limit. */
  readonly percent: number;
}

/** Measures how full the context is. */
export interface ContextBudget {
  readonly maxTokens: number;
  measure(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): ContextUse;
  total(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): number;
  /** Forgets the list measured last: the next list is not a continuation of it. */
  forget(): void;
}

export interface ContextBudgetOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/**
 * Creates a budget for a list of messages that grows. The usage reported with the newest reply covers everything up to
 * it; only later messages are counted here. Of a list that continues the previous one, only the new messages are read,
 * so the cost of a turn does not grow with the number of turns.
 */
export function createContextBudget({ maxTokens, counter }: ContextBudgetOptions): ContextBudget {
  checkMaxTokens(maxTokens);
  let previous: Measurement | undefined;
  let fixedPart: FixedPart | undefined;

  /** Tokens of the system text and the tools, counted again only if they changed. */
  function fixedTokens(system: string, tools: readonly ToolDefinition[]): number {
    const { isExact } = counter;
    if (fixedPart?.system !== system || fixedPart.tools !== tools || fixedPart.isExact !== isExact)
      fixedPart = { system, tools, isExact, tokens: counter.countText(system) + toolTokens(tools, counter) };
    return fixedPart.tokens;
  }

  function measure(messages: readonly Message[], system: string, tools: readonly ToolDefinition[]): ContextUse {
    const start = continues(messages, previous, counter.isExact) ? previous : undefined;
    const firstNew = start?.length ?? 0;
    const newestReply = findNewestReply(messages, firstNew);
    const estimateOf = (from: number, to?: number) =>
      messages.slice(from, to).reduce((sum, message) => sum + estimateMessage(message), 0);
    const replyEnd = newestReply === undefined ? messages.length : newestReply + 1;
    const atReply = (start?.estimate ?? 0) + estimateOf(firstNew, replyEnd);
    const figure = newestReply === undefined ? undefined : reportedTokens(messages, newestReply, start === undefined);
    const reported = figure !== undefined && figure >= atReply * minEstimateShare ? figure : undefined;
    const base = reported ?? start?.tokens ?? fixedTokens(system, tools);
    const added = messages
      .slice(reported === undefined || newestReply === undefined ? firstNew : newestReply + 1)
      .reduce((sum, message) => sum + counter.countMessage(message), 0);
    const tokens = base + added;
    const counted = (reported === undefined ? (start?.counted ?? base) : 0) + added;
    const estimate = atReply + estimateOf(replyEnd);
    previous = { tokens, counted, estimate, length: messages.length, last: messages.at(-1), isExact: counter.isExact };
    return { tokens, counted, percent: shareOf(maxTokens, tokens) };
  }

  return {
    maxTokens,
    measure,
    total: (messages, system, tools) => measure(messages, system, tools).tokens,
    forget() {
      previous = undefined;
    },
  };
}

interface FixedPart {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly isExact: boolean;
  readonly tokens: number;
}

function toolTokens(tools: readonly ToolDefinition[], counter: TokenCounter): number {
  if (tools.length === 0) return 0;
  return counter.countText(
    toSafeJson(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

/** The result for the list measured last. */
interface Measurement {
  readonly tokens: number;
  readonly counted: number;
  /** An estimate of the messages, without anything that was reported. */
  readonly estimate: number;
  readonly length: number;
  readonly last: Message | undefined;
  readonly isExact: boolean;
}

/** Whether a list continues the previous one. Estimates are not continued once exact counts are available. */
function continues(
  messages: readonly Message[],
  previous: Measurement | undefined,
  isExact: boolean,
): previous is Measurement {
  if (previous === undefined || previous.length === 0 || messages.length < previous.length) return false;
  return messages[previous.length - 1] === previous.last && (previous.isExact === isExact || previous.counted === 0);
}

/** The index of the newest reply at or after `firstNew`. */
function findNewestReply(messages: readonly Message[], firstNew: number): number | undefined {
  const index = messages.slice(firstNew).findLastIndex(({ role }) => role === "assistant");
  return index < 0 ? undefined : firstNew + index;
}

/** The tokens that the provider reported with a reply. A list that was not seen growing may have been compacted. */
function reportedTokens(messages: readonly Message[], index: number, isNewList: boolean): number | undefined {
  const reply = messages[index];
  if (reply?.role !== "assistant" || (isNewList && wasCompacted(messages, reply))) return undefined;
  return reportedContext(reply);
}

/** The size of the context up to and including a reply; undefined if the figures are estimates or not plausible. */
function reportedContext({ usage }: AssistantMessage): number | undefined {
  const tokens = usage.input + usage.output;
  return usage.isEstimated || !Number.isSafeInteger(tokens) || usage.input <= 0 || usage.output < 0
    ? undefined
    : tokens;
}

/** The context of a list that only grew never shrinks: if an earlier reply saw more, messages were left out. */
function wasCompacted(messages: readonly Message[], newest: AssistantMessage): boolean {
  const newestContext = reportedContext(newest) ?? 0;
  return messages.some((message) => message.role === "assistant" && (reportedContext(message) ?? 0) > newestContext);
}
