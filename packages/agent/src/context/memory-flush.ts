import type { MessageCache } from "../protocol/message-cache.ts";
import { type AssistantMessage, type CallPart, callsOf, type Message, type UserMessage } from "../protocol/messages.ts";
import { pairCalls } from "../protocol/paired-messages.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { type ContextBudget, createContextBudget } from "./context-budget.ts";
import { compact } from "./strategies/compact.ts";
import { compactPercent, defaultMinTail, percentOf } from "./thresholds.ts";
import type { TokenCounter } from "./token-counter.ts";

/** The only tool that a flush may call. */
const flushTool = "memory_write";

/**
 * The internal turn before a compaction: one request and one reply. The calls of the reply are executed, but the model
 * does not see their results, and neither prompt nor reply becomes part of the history, so a flush cannot loop. It
 * counts in cost and not in `max_turns`.
 */
export interface MemoryFlush {
  readonly messages: readonly Message[];
  /**
   * The tools that may be executed. The request should have all tools and the system text of the run, so that the
   * provider finds most of this large request in its prompt cache.
   */
  readonly allowedTools: readonly string[];
  readonly maxOutputTokens: number;
}

/** What of the reply to a flush is executed. */
export interface FlushReply {
  /** Calls to execute; each passes the gate. */
  readonly calls: readonly CallPart[];
  /** Number of calls not executed: of other tools, without valid arguments, or too many. */
  readonly refused: number;
  readonly problem?: string;
}

/** Decides when a flush is due. */
export interface FlushWatch {
  /** `warnedAt`: the share of the context at which the guardian has warned; undefined if it has not warned. */
  isDue(percent: number, warnedAt?: number): boolean;
}

/**
 * Reports once that a flush is due: after the guardian's warning about a full context, or above 85 %, where messages
 * are compacted. Reports it again only after the context was emptier in between.
 */
export function createFlushWatch(): FlushWatch {
  let isFlushed = false;
  return {
    isDue(percent, warnedAt = compactPercent) {
      const isFull = percent > compactPercent || (warnedAt < compactPercent && percent >= warnedAt);
      const isDue = isFull && !isFlushed;
      isFlushed = isFull;
      return isDue;
    },
  };
}

export interface FlushOptions {
  /** The messages that would be sent without compaction. */
  readonly messages: readonly Message[];
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  readonly budget?: ContextBudget;
  readonly cache?: MessageCache;
  /** Messages that people wrote from this time on are never cut. */
  readonly runStartedAt?: number;
  /** Id and time of the flush prompt. */
  readonly id: string;
  readonly at: number;
}

/** Plans the internal turn. Its messages are compacted if the context has no room for the turn itself. */
export function planMemoryFlush(options: FlushOptions): MemoryFlush {
  const { system, tools, maxTokens, counter, runStartedAt, id, at } = options;
  const createBudget = () => createContextBudget({ maxTokens, counter });
  const prompt: UserMessage = { role: "user", id, at, origin: "automatic", reason: "memory_flush", text: flushPrompt };
  const maxOutputTokens = Math.max(1, Math.min(2_048, percentOf(maxTokens, 10)));
  const messages = pairCalls(options.messages, options.cache);
  const conversationTokens = (options.budget ?? createBudget()).total(messages, system, tools);
  if (conversationTokens + counter.countMessage(prompt) + maxOutputTokens <= maxTokens)
    return { messages: [...messages, prompt], allowedTools: [flushTool], maxOutputTokens };

  const fixedTokens = createBudget().total([prompt], system, tools) + maxOutputTokens;
  const room = percentOf(maxTokens, compactPercent) - fixedTokens;
  const compacted = compact({ messages, target: room, limit: room, minTail: defaultMinTail, counter, runStartedAt });
  return { messages: [...compacted, prompt], allowedTools: [flushTool], maxOutputTokens };
}

const maxFacts = 20;

/** Selects the calls of a flush reply to execute; none if the reply was cut off. */
export function readFlushReply(reply: AssistantMessage): FlushReply {
  const calls = callsOf(reply);
  if (reply.stop !== "end" && reply.stop !== "calls") {
    const problem = `The reply to the memory flush ended as "${reply.stop}"; none of its calls was executed.`;
    return { calls: [], refused: calls.length, problem };
  }
  const allowed = calls.filter(({ tool, input }) => tool === flushTool && input !== undefined).slice(0, maxFacts);
  return { calls: allowed, refused: calls.length - allowed.length };
}

const flushPrompt = [
  "The context is nearly full, and older messages will be left out after this.",
  `Write down with ${flushTool} what will still matter later and cannot be looked up again: decisions and their ` +
    "reasons, what the user wants, what was tried and did not work, where things are. One fact per call, each " +
    `understandable on its own, at most ${maxFacts}.`,
  `Make all calls in this one reply and call nothing but ${flushTool}. Write down no secrets. ` +
    "If nothing is worth remembering, reply with the word nothing.",
].join("\n");
