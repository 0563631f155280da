import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { listField, objectField, tokensField } from "../fields.ts";

/** The tokens of one model request in the fields of Anthropic's API, in which `input` leaves out what is cached. */
export interface RequestTokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  readonly cacheWrite1h: number;
  readonly output: number;
}

export const noTokens: RequestTokens = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output: 0 };

/** Model calls within a request that are billed besides the tokens of the request. */
const billedIterations: ReadonlySet<unknown> = new Set(["compaction", "advisor_message"]);

/** Reads a `usage` object; undefined for anything without token counts. */
export function requestTokens(usage: unknown): RequestTokens | undefined {
  const own = ownTokens(usage);
  if (own === undefined) return undefined;
  return listField(objectField(usage)["iterations"])
    .filter((iteration) => billedIterations.has(objectField(iteration)["type"]))
    .reduce<RequestTokens>((sum, iteration) => addTokens(sum, ownTokens(iteration) ?? noTokens), own);
}

function ownTokens(value: unknown): RequestTokens | undefined {
  const usage = objectField(value);
  const input = tokensField(usage["input_tokens"]);
  const output = tokensField(usage["output_tokens"]);
  const cacheRead = tokensField(usage["cache_read_input_tokens"]);
  const written = tokensField(usage["cache_creation_input_tokens"]);
  if ((input ?? output ?? cacheRead ?? written) === undefined) return undefined;
  const byLifetime = objectField(usage["cache_creation"]);
  const cacheWrite5m = tokensField(byLifetime["ephemeral_5m_input_tokens"]) ?? 0;
  const cacheWrite1h = tokensField(byLifetime["ephemeral_1h_input_tokens"]) ?? 0;
  return {
    input: input ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: Math.max(written ?? 0, cacheWrite5m + cacheWrite1h),
    cacheWrite1h,
    output: output ?? 0,
  };
}

/** The larger one of each count: entries about one request repeat its input, and the last one states all output. */
export function largerTokens(one: RequestTokens, other: RequestTokens): RequestTokens {
  return combineTokens(one, other, Math.max);
}

/** Whether both have input, and the same: all entries of a request state it. */
export function haveSameInput(one: RequestTokens, other: RequestTokens): boolean {
  const isSame = one.input === other.input && one.cacheRead === other.cacheRead && one.cacheWrite === other.cacheWrite;
  return isSame && inputOf(one) > 0;
}

/** All input. */
export function inputOf({ input, cacheRead, cacheWrite }: RequestTokens): number {
  return input + cacheRead + cacheWrite;
}

export function addTokens(one: RequestTokens, other: RequestTokens): RequestTokens {
  return combineTokens(one, other, (a, b) => a + b);
}

/** Combines the counts of one kind. */
export function combineTokens(
  one: RequestTokens,
  other: RequestTokens,
  combine: (a: number, b: number) => number,
): RequestTokens {
  return {
    input: combine(one.input, other.input),
    cacheRead: combine(one.cacheRead, other.cacheRead),
    cacheWrite: combine(one.cacheWrite, other.cacheWrite),
    cacheWrite1h: combine(one.cacheWrite1h, other.cacheWrite1h),
    output: combine(one.output, other.output),
  };
}

/** The same in the form of recorded runs, whose input includes what is cached. */
export function recordedUsage(tokens: RequestTokens): RecordedUsage {
  return {
    inputTokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    cacheReadTokens: tokens.cacheRead,
    cacheWriteTokens: tokens.cacheWrite,
    cacheWrite1hTokens: tokens.cacheWrite1h,
    outputTokens: tokens.output,
  };
}

/** The reverse of `recordedUsage`. */
export function tokensOf(usage: RecordedUsage): RequestTokens {
  const {
    inputTokens = 0,
    cacheReadTokens = 0,
    cacheWriteTokens = 0,
    cacheWrite1hTokens = 0,
    outputTokens = 0,
  } = usage;
  return {
    input: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cacheRead: cacheReadTokens,
    cacheWrite: cacheWriteTokens,
    cacheWrite1h: cacheWrite1hTokens,
    output: outputTokens,
  };
}
