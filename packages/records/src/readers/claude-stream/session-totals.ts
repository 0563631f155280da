import type { JsonObject } from "../../trajectory/json-fields.ts";
import { noTokens, type RequestTokens, requestTokens } from "../anthropic/request-tokens.ts";
import { dollarsField, objectField, tokensField } from "../fields.ts";

/** What a session states at its end about all its requests. */
export interface SessionTotals {
  readonly costUsd: number;
  /** With the requests of subagents and of side tasks. */
  readonly models: readonly ModelTotals[];
  /** The requests of the main thread, in versions that state no models. */
  readonly main: RequestTokens | undefined;
}

interface ModelTotals {
  readonly model: string;
  readonly tokens: RequestTokens;
  readonly costUsd: number;
}

/** Reads a line of type `result`; undefined if it states no cost. */
export function readTotals(line: JsonObject): SessionTotals | undefined {
  const costUsd = dollarsField(line["total_cost_usd"] ?? line["cost_usd"]);
  if (costUsd === undefined) return undefined;
  const models = Object.entries(objectField(line["modelUsage"])).map(([name, stated]) => modelTotals(name, stated));
  return { costUsd, models, main: models.length > 0 ? undefined : requestTokens(line["usage"]) };
}

function modelTotals(name: string, stated: unknown): ModelTotals {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens, costUSD } = objectField(stated);
  return {
    model: name.replace(/\[\w+\]$/, ""), // a size of the context
    tokens: {
      ...noTokens,
      input: tokensField(inputTokens) ?? 0,
      cacheRead: tokensField(cacheReadInputTokens) ?? 0,
      cacheWrite: tokensField(cacheCreationInputTokens) ?? 0,
      output: tokensField(outputTokens) ?? 0,
    },
    costUsd: dollarsField(costUSD) ?? 0,
  };
}
