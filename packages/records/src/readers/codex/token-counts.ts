import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { tokensField } from "../fields.ts";

/** Usage of one model request, and the sum after it as a text, which differs for each request of a thread. */
export interface RequestTokens {
  readonly usage: RecordedUsage;
  readonly total: string;
}

/** Reads the `info` of `token_count` events one after the other. */
export interface TokenCounter {
  /** "repeat" for an event that reports the same sums again, undefined for one without any tokens. */
  read(info: JsonObject): RequestTokens | "repeat" | undefined;
}

/**
 * Each request is reported with its own usage and with the sum of all so far. Events with an equal sum report a request
 * again, with a new rate limit. Where a request has no usage of its own, the difference of the sums is its usage.
 */
export function createTokenCounter(): TokenCounter {
  let previous: Tokens | undefined;
  return {
    read({ total_token_usage, last_token_usage }) {
      const total = isObject(total_token_usage) ? tokensOf(total_token_usage) : undefined;
      if (total !== undefined && previous !== undefined && isEqual(total, previous)) return "repeat";
      const own = isObject(last_token_usage)
        ? tokensOf(last_token_usage)
        : total === undefined
          ? undefined
          : difference(total, previous);
      previous = total ?? previous;
      if (own === undefined || own.input + own.output === 0) return undefined; // an estimate after a compaction
      return { usage: usageOf(own), total: JSON.stringify(total ?? own) };
    },
  };
}

interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly all: number;
}

function tokensOf(usage: JsonObject): Tokens {
  const input = sumField(usage["input_tokens"]) ?? 0;
  const output = sumField(usage["output_tokens"]) ?? 0;
  return {
    input,
    cacheRead: sumField(usage["cached_input_tokens"]) ?? 0,
    cacheWrite: sumField(usage["cache_write_input_tokens"]) ?? 0,
    output,
    all: sumField(usage["total_tokens"]) ?? input + output,
  };
}

/** The sum of a long session is larger than a request can be. */
function sumField(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}

function isEqual(one: Tokens, other: Tokens): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A sum that shrinks has begun anew. */
function difference(total: Tokens, previous: Tokens | undefined): Tokens {
  if (previous === undefined || total.input < previous.input || total.output < previous.output) return total;
  const since = (field: keyof Tokens) => Math.max(0, total[field] - previous[field]);
  return {
    input: since("input"),
    cacheRead: since("cacheRead"),
    cacheWrite: since("cacheWrite"),
    output: since("output"),
    all: since("all"),
  };
}

function usageOf({ input, cacheRead, cacheWrite, output }: Tokens): RecordedUsage {
  return {
    inputTokens: tokensField(input) ?? 0,
    cacheReadTokens: tokensField(cacheRead) ?? 0,
    ...(cacheWrite === 0 ? {} : { cacheWriteTokens: tokensField(cacheWrite) ?? 0 }),
    outputTokens: tokensField(output) ?? 0,
  };
}
