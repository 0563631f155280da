import { type AssistantMessage, type CallPart, callsOf, type Message, type UserMessage } from "../protocol/messages.ts";
import { pairCalls } from "../protocol/paired-messages.ts";
import { type ContextBudget, createContextBudget, type ToolDefinition } from "./context-budget.ts";
import { compact } from "./strategies/compact.ts";
import { compactPercent, defaultMinTail, shareOf } from "./thresholds.ts";
import type { TokenCounter } from "./token-counter.ts";

/** The one tool a flush may call. */
const flushTool = "memory_write";

/**
 * The internal turn before a compaction. It is one request and one reply: the calls of the reply are executed, nobody answers them, and neither the prompt nor
 * the reply goes into the history, so a flush cannot loop. It counts in cost, not in `max_turns`.
 */
export interface MemoryFlush {
  readonly messages: readonly Message[];
  /**
   * What may be executed of the reply. The tools announced should stay those of the run, as should the system text: the provider then has most of this large
   * request in its prompt cache.
   */
  readonly allowedTools: readonly string[];
  readonly maxOutputTokens: number;
}

/** What to do with the reply to a flush. */
export interface FlushReply {
  /** To be executed, each through the gate like any other. */
  readonly calls: readonly CallPart[];
  /** How many calls are not executed: of other tools, without proper arguments, or too many. */
  readonly refused: number;
  readonly problem?: string;
}

/** Says once that a flush is due when the context fills up, and again only after it was emptier in between. */
export function createFlushWatch(): { isDue(percent: number): boolean } {
  let isFlushed = false;
  return {
    isDue(percent) {
      const isFull = percent > compactPercent;
      const isDue = isFull && !isFlushed;
      isFlushed = isFull;
      return isDue;
    },
  };
}

export interface FlushOptions {
  /** What would be sent if nothing were compacted. */
  readonly messages: readonly Message[];
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  readonly budget?: ContextBudget;
  readonly id: string;
  readonly at: number;
}

/** The internal turn as data. Where the context is too full even for that, its messages are compacted ones. */
export function planMemoryFlush({
  messages,
  system,
  tools,
  maxTokens,
  counter,
  budget,
  id,
  at,
}: FlushOptions): MemoryFlush {
  const ask: UserMessage = { role: "user", id, at, origin: "automatic", reason: "memory_flush", text: flushPrompt };
  const maxOutputTokens = Math.max(1, Math.min(2_048, shareOf(maxTokens, 10)));
  const settled = pairCalls(messages);
  const needed =
    (budget ?? createContextBudget({ maxTokens, counter })).total(settled, system, tools) +
    counter.countMessage(ask) +
    maxOutputTokens;
  if (needed <= maxTokens) return { messages: [...settled, ask], allowedTools: [flushTool], maxOutputTokens };

  const fixed = createContextBudget({ maxTokens, counter }).total([ask], system, tools) + maxOutputTokens;
  const room = shareOf(maxTokens, compactPercent) - fixed;
  return {
    messages: [...compact({ messages: settled, aim: room, limit: room, minTail: defaultMinTail, counter }), ask],
    allowedTools: [flushTool],
    maxOutputTokens,
  };
}

/** What of a reply to a flush is executed. Of one that was cut off nothing is. */
export function readFlushReply(reply: AssistantMessage): FlushReply {
  const calls = callsOf(reply);
  if (reply.stop !== "end" && reply.stop !== "calls") {
    return {
      calls: [],
      refused: calls.length,
      problem: `The reply to the memory flush ended as "${reply.stop}"; nothing of it was executed.`,
    };
  }
  const allowed = calls.filter(({ tool, input }) => tool === flushTool && input !== undefined).slice(0, maxFacts);
  return { calls: allowed, refused: calls.length - allowed.length };
}

const maxFacts = 20;

const flushPrompt = [
  "The context is nearly full, and older messages will be left out after this.",
  `Write down with ${flushTool} what will still matter later and cannot be looked up again: decisions and their reasons, what the person wants, ` +
    "what was tried and did not work, where things are. One fact a call, each understandable on its own, at most 20.",
  `Make all calls in this one reply and call nothing but ${flushTool}. Write down no secrets. If nothing is worth remembering, reply with the word nothing.`,
].join("\n");
