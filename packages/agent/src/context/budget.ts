import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { AssistantMessage, Message } from "../messages.ts";
import type { TokenCounter } from "./count-tokens.ts";
import { jsonOf } from "./json-of.ts";
import { checkMaxTokens } from "./thresholds.ts";

/** A tool as the model is told of it. */
export type SentTool = Pick<LanguageModelV3FunctionTool, "name" | "description" | "inputSchema">;

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
  measure(messages: readonly Message[], system: string, tools: readonly SentTool[]): ContextUse;
  total(messages: readonly Message[], system: string, tools: readonly SentTool[]): number;
  /** Forgets the list measured last: what comes next was made anew. */
  forget(): void;
}

/**
 * Accounts for a list of messages that grows. What the provider said of the newest reply is the truth for everything up to it; only what came after is
 * counted here. Of a list measured before only the new messages are looked at, so a turn costs the same however many came before it.
 */
export function createContextBudget({ maxTokens, counter }: { readonly maxTokens: number; readonly counter: TokenCounter }): ContextBudget {
  checkMaxTokens(maxTokens);
  const fixedPart = createFixedPart(counter);
  let known: Known | undefined;

  const measure: ContextBudget["measure"] = (messages, system, tools) => {
    const start = continues(known, messages, counter.isExact) ? known : undefined;
    const from = start?.length ?? 0;
    const newest = newestReplyFrom(messages, from);
    const truth = newest === undefined || (start === undefined && wasCompacted(messages, newest.reply)) ? undefined : toldUsage(newest.reply);

    let { tokens, counted } = startingFrom(truth, start) ?? bothOf(fixedPart(system, tools));
    for (const message of messages.slice(truth === undefined || newest === undefined ? from : newest.index + 1)) {
      const more = counter.countMessage(message);
      tokens += more;
      counted += more;
    }
    known = { tokens, counted, length: messages.length, last: messages.at(-1), isExact: counter.isExact };
    return { tokens, counted, percent: (tokens / maxTokens) * 100 };
  };

  return {
    maxTokens,
    measure,
    total: (messages, system, tools) => measure(messages, system, tools).tokens,
    forget: () => {
      known = undefined;
    },
  };
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

function startingFrom(truth: number | undefined, start: Known | undefined): { tokens: number; counted: number } | undefined {
  if (truth !== undefined) return { tokens: truth, counted: 0 };
  return start === undefined ? undefined : { tokens: start.tokens, counted: start.counted };
}

function bothOf(tokens: number): { tokens: number; counted: number } {
  return { tokens, counted: tokens };
}

function newestReplyFrom(messages: readonly Message[], from: number): { readonly reply: AssistantMessage; readonly index: number } | undefined {
  for (let index = messages.length - 1; index >= from; index -= 1) {
    const message = messages[index];
    if (message?.role === "assistant") return { reply: message, index };
  }
  return undefined;
}

/** What the provider told of the context up to and with this reply, unless the figures were made here or make no sense. */
function toldUsage({ usage }: AssistantMessage): number | undefined {
  const tokens = usage.input + usage.output;
  return usage.isEstimated || !Number.isSafeInteger(tokens) || usage.input <= 0 || usage.output < 0 ? undefined : tokens;
}

/** A context that only grows is told larger with every reply. Where an earlier reply saw more than the newest, the newest did not see all of this list. */
function wasCompacted(messages: readonly Message[], newest: AssistantMessage): boolean {
  const told = toldUsage(newest) ?? 0;
  return messages.some((message) => message.role === "assistant" && (toldUsage(message) ?? 0) > told);
}

/** The system text and the tools, counted again only when they are others. */
function createFixedPart(counter: TokenCounter): (system: string, tools: readonly SentTool[]) => number {
  let last: { readonly system: string; readonly tools: readonly SentTool[]; readonly isExact: boolean; readonly tokens: number } | undefined;
  return (system, tools) => {
    if (last?.system === system && last.tools === tools && last.isExact === counter.isExact) return last.tokens;
    const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const tokens = counter.countText(system) + (sent.length === 0 ? 0 : counter.countText(jsonOf(sent)));
    last = { system, tools, isExact: counter.isExact, tokens };
    return tokens;
  };
}
