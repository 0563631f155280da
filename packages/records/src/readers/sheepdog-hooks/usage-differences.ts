import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { optional, tokensField } from "../fields.ts";

/** Turns the totals of a session into the usage of each step. */
export interface UsageDifferences {
  /** What is used from now on belongs to another step. */
  beginStep(): void;
  /** Reads totals. Returns what the current step has used so far. */
  add(totals: JsonObject): RecordedUsage;
}

interface Totals {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** null if a price is unknown. */
  readonly nanoUsd: number | null;
}

const nothing: Totals = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, nanoUsd: 0 };

/** Starts at zero. */
export function createUsageDifferences(): UsageDifferences {
  let total = nothing;
  let atStep = nothing;
  return {
    beginStep() {
      atStep = total;
    },
    add(line) {
      const next = totalsOf(line);
      // Totals that shrink are those of a hook that lost its state and counts from zero again.
      if (next.inputTokens < total.inputTokens || next.outputTokens < total.outputTokens) atStep = nothing;
      total = next;
      const nanoUsd = next.nanoUsd === null || atStep.nanoUsd === null ? null : next.nanoUsd - atStep.nanoUsd;
      return {
        inputTokens: next.inputTokens - atStep.inputTokens,
        cacheReadTokens: Math.max(0, next.cacheReadTokens - atStep.cacheReadTokens),
        cacheWriteTokens: Math.max(0, next.cacheWriteTokens - atStep.cacheWriteTokens),
        outputTokens: next.outputTokens - atStep.outputTokens,
        ...optional("costUsd", nanoUsd === null ? undefined : Math.max(0, nanoUsd) / 1e9),
        isSum: true,
      };
    },
  };
}

function totalsOf(line: JsonObject): Totals {
  const { costNanoUsd } = line;
  return {
    inputTokens: tokensField(line["inputTokens"]) ?? 0,
    cacheReadTokens: tokensField(line["cacheReadTokens"]) ?? 0,
    cacheWriteTokens: tokensField(line["cacheWriteTokens"]) ?? 0,
    outputTokens: tokensField(line["outputTokens"]) ?? 0,
    nanoUsd: typeof costNanoUsd === "number" && costNanoUsd >= 0 ? costNanoUsd : null,
  };
}
