import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { objectField, optional, tokensField } from "../fields.ts";

/** Sums the requests of a turn: also those for summaries and second opinions, which are paid as well. */
export interface TurnUsage {
  begin(turn: unknown): void;
  add(usage: unknown): void;
  /** Adds a cost in nano-dollars; an unknown one is null. */
  addCost(nanoUsd: unknown): void;
  value(): RecordedUsage;
}

/** Creates the sum. What comes before the first turn belongs to it. */
export function createTurnUsage(runId: string): TurnUsage {
  let turns = 0;
  let name: unknown = 0;
  let sums = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  let nanoUsd: number | undefined;
  return {
    begin(turn) {
      name = turn ?? turns;
      if (turns++ === 0) return;
      sums = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
      nanoUsd = undefined;
    },
    add(value) {
      const usage: JsonObject = objectField(value);
      sums = {
        inputTokens: sums.inputTokens + (tokensField(usage["input"]) ?? 0),
        cacheReadTokens: sums.cacheReadTokens + (tokensField(usage["cacheRead"]) ?? 0),
        cacheWriteTokens: sums.cacheWriteTokens + (tokensField(usage["cacheWrite"]) ?? 0),
        outputTokens: sums.outputTokens + (tokensField(usage["output"]) ?? 0),
      };
    },
    addCost(cost) {
      if (typeof cost === "number" && cost >= 0 && Number.isFinite(cost)) nanoUsd = (nanoUsd ?? 0) + cost;
    },
    value: () => ({
      ...sums,
      ...optional("costUsd", nanoUsd === undefined ? undefined : nanoUsd / 1e9),
      request: `${runId}/${String(name)}`,
    }),
  };
}
