import type { RequestUsage } from "../guard/guard-options.ts";
import { objectOf } from "../hooks/contracts/fields.ts";

/** The tokens that a message of the SDK states. */
interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Replies that may get further messages: those of subagents that work at the same time come mixed. */
const MAX_REPLIES = 100;

/**
 * Reads usage from the messages of `query`. A reply comes as several messages, one for each block, that all state the
 * usage of the reply; the number of its output tokens may be known only with the result of the run.
 */
export class UsageReader {
  /** The newest replies by their ids, oldest first. */
  readonly #replies = new Map<string, Tokens>();
  /** The output tokens of the main agent since the last result. */
  #mainOutput = 0;
  #mainModel: string | undefined;

  /** What the message adds; undefined if it adds nothing. */
  read(value: unknown): RequestUsage | undefined {
    const message = objectOf(value);
    if (message["type"] === "assistant") return this.#readReply(message);
    return message["type"] === "result" ? this.#readResult(message) : undefined;
  }

  #readReply(message: Readonly<Record<string, unknown>>): RequestUsage | undefined {
    const { id, model, usage } = objectOf(message["message"]);
    if (typeof id !== "string" || typeof usage !== "object" || usage === null) return undefined;
    const tokens = tokensOf(usage);
    const added = increase(this.#replies.get(id) ?? noTokens, tokens);
    this.#remember(id, tokens);
    if (typeof message["parent_tool_use_id"] !== "string") {
      this.#mainOutput += added.output;
      this.#mainModel = textOrUndefined(model);
    }
    return requestUsage(textOrUndefined(model), added);
  }

  #remember(id: string, tokens: Tokens): void {
    this.#replies.delete(id);
    this.#replies.set(id, tokens);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > MAX_REPLIES && oldest !== undefined) this.#replies.delete(oldest);
  }

  /** The result states the usage of the main agent since the result before it. */
  #readResult(message: Readonly<Record<string, unknown>>): RequestUsage | undefined {
    const output = Math.max(0, tokensOf(message["usage"]).output - this.#mainOutput);
    this.#mainOutput = 0;
    return requestUsage(this.#mainModel, { ...noTokens, output });
  }
}

function requestUsage(model: string | undefined, tokens: Tokens): RequestUsage | undefined {
  const inputTokens = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  if (inputTokens + tokens.output === 0) return undefined;
  const { output: outputTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens } = tokens;
  return { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

function increase(before: Tokens, after: Tokens): Tokens {
  return {
    input: Math.max(0, after.input - before.input),
    cacheRead: Math.max(0, after.cacheRead - before.cacheRead),
    cacheWrite: Math.max(0, after.cacheWrite - before.cacheWrite),
    output: Math.max(0, after.output - before.output),
  };
}

function tokensOf(value: unknown): Tokens {
  const usage = objectOf(value);
  return {
    input: count(usage["input_tokens"]),
    cacheRead: count(usage["cache_read_input_tokens"]),
    cacheWrite: count(usage["cache_creation_input_tokens"]),
    output: count(usage["output_tokens"]),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
