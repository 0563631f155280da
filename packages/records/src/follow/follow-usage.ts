import { plainDigest } from "@sheepdog/guardian";
import { usagePrice } from "../costs/usage-price.ts";
import { costAt, type Rates } from "../pricing/rates.ts";
import { largerTokens, type RequestTokens, recordedUsage } from "../readers/anthropic/request-tokens.ts";
import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import type { FollowedFormat, RequestStatement } from "./request-statement.ts";

/** What was used by a recording so far, with what it takes to continue: plain JSON. */
export interface FollowedUsage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly costNanoUsd: number;
  /** False once a request had no price. */
  readonly isPriced: boolean;
  /** The model of the newest request. */
  readonly model?: string;
  /** The newest requests, which further lines may be about, oldest first. */
  readonly requests: readonly FollowedRequest[];
  /** Marks of the requests before those: what a copied conversation repeats of them was counted. */
  readonly counted: readonly string[];
  readonly memory?: unknown;
}

interface FollowedRequest {
  readonly request: string;
  readonly tokens: RequestTokens;
  readonly costNanoUsd: number | null;
}

export const noUsage: FollowedUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  costNanoUsd: 0,
  isPriced: true,
  requests: [],
  counted: [],
};

export interface FollowOptions {
  readonly format: FollowedFormat;
  /** The prices of a model; undefined if they were not looked up yet. */
  readonly ratesOf: (model: string) => Rates | undefined;
  /** Money is reported as new from this time on. */
  readonly since: number;
}

export interface FollowedLines {
  readonly usage: FollowedUsage;
  /** The cost of requests since the given time. */
  readonly newNanoUsd: number;
  /** Models whose prices have to be looked up. What they cost is not counted until then. */
  readonly unknownModels: readonly string[];
}

/** The lines of a reply follow each other, also where a few subagents write at the same time. */
const MAX_REQUESTS = 12;
const MAX_COUNTED = 400;
const MARK_CHARS = 8;

/** Adds the lines that were appended to a recording. Each request counts once, with its largest statement. */
export function followUsage(
  previous: FollowedUsage,
  lines: readonly string[],
  { format, ratesOf, since }: FollowOptions,
): FollowedLines {
  const follower = format.open(previous.memory);
  const requests = new Map(previous.requests.map((request) => [request.request, request]));
  const counted = new Set(previous.counted);
  const unknownModels = new Set<string>();
  let usage = previous;
  let newNanoUsd = 0;
  for (const text of lines) {
    const line = parseLine(text, format);
    const statement = line === undefined ? undefined : follower.line(line);
    if (statement === undefined || counted.has(markOf(statement.request))) continue;
    const rates = statement.model === undefined ? {} : ratesOf(statement.model);
    if (rates === undefined) unknownModels.add(statement.model ?? "");
    const earlier = statement.request === undefined ? undefined : requests.get(statement.request);
    const tokens = earlier === undefined ? statement.tokens : largerTokens(earlier.tokens, statement.tokens);
    const costNanoUsd = costOf({ ...statement, tokens }, rates ?? {});
    usage = withRequest(usage, { tokens, costNanoUsd, earlier, model: statement.model });
    if ((statement.at ?? since) >= since) newNanoUsd += (costNanoUsd ?? 0) - (earlier?.costNanoUsd ?? 0);
    if (statement.request !== undefined)
      requests.set(statement.request, { request: statement.request, tokens, costNanoUsd });
    for (const [oldest] of requests) {
      if (requests.size <= MAX_REQUESTS) break;
      requests.delete(oldest);
      counted.add(markOf(oldest));
    }
  }
  const memory = follower.memory();
  return {
    usage: {
      ...usage,
      requests: [...requests.values()],
      counted: [...counted].slice(-MAX_COUNTED),
      ...(memory === undefined ? {} : { memory }),
    },
    newNanoUsd: Math.max(0, newNanoUsd),
    unknownModels: [...unknownModels],
  };
}

/** A short hash of the id of a request; an empty text without one. */
function markOf(request: string | undefined): string {
  return request === undefined ? "" : plainDigest.of(request).slice(0, MARK_CHARS);
}

function parseLine(text: string, { marks }: FollowedFormat): JsonObject | undefined {
  if (!marks.some((mark) => text.includes(mark))) return undefined;
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

function costOf({ model, tokens, modes, costUsd }: RequestStatement, rates: Rates): number | null {
  if (costUsd !== undefined) return Math.round(costUsd * 1e9);
  if (model === undefined) return null;
  const usage = { ...recordedUsage(tokens), ...modes };
  return usagePrice(model, usage, (priced) => costAt(rates, priced))?.nanoUsd ?? null;
}

interface CountedRequest {
  readonly tokens: RequestTokens;
  readonly costNanoUsd: number | null;
  /** The same request as it was counted before. */
  readonly earlier: FollowedRequest | undefined;
  readonly model: string | undefined;
}

function withRequest(sums: FollowedUsage, { tokens, costNanoUsd, earlier, model }: CountedRequest): FollowedUsage {
  const now = recordedUsage(tokens);
  const before = earlier === undefined ? {} : recordedUsage(earlier.tokens);
  const grown = (name: "inputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "outputTokens") =>
    sums[name] + (now[name] ?? 0) - (before[name] ?? 0);
  const isEmpty = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output === 0;
  return {
    ...sums,
    inputTokens: grown("inputTokens"),
    cacheReadTokens: grown("cacheReadTokens"),
    cacheWriteTokens: grown("cacheWriteTokens"),
    outputTokens: grown("outputTokens"),
    costNanoUsd: sums.costNanoUsd + (costNanoUsd ?? 0) - (earlier?.costNanoUsd ?? 0),
    isPriced: sums.isPriced && (costNanoUsd !== null || isEmpty),
    ...(model === undefined ? {} : { model }),
  };
}
