import type { Clock } from "../protocol/clock.ts";
import type { CostRow, CostStore, PossibleUse } from "../stores/stores.ts";

/** More than the fastest hosts write: a crash must not be charged less than was spent. */
const MAX_TOKENS_PER_SEC = 3_000;
const RECORD_MS = 1_000;
/** A record also covers the time until the next one, also if that comes late. */
const AHEAD_MS = 3_000;

/** The most tokens that a model can have written after this time. */
export function possibleOutput(elapsedMs: number, maxOutputTokens: number): number {
  return Math.min(maxOutputTokens, Math.ceil(((elapsedMs + AHEAD_MS) / 1_000) * MAX_TOKENS_PER_SEC));
}

/**
 * Records during a request how much it can have used so far, so that a crash does not charge the longest reply.
 * A provider stops writing when the connection of a streamed reply is closed.
 */
export interface RequestProgress {
  start(row: CostRow): void;
  stop(requestId: string): void;
}

export interface RequestProgressOptions {
  readonly ledger: Pick<CostStore, "recordPossibleUse">;
  readonly clock: Pick<Clock, "now" | "every">;
  /** The most that a request can have used if its reply has so many tokens. */
  possibleUse(row: CostRow, outputTokens: number): PossibleUse;
}

export function createRequestProgress({ ledger, clock, possibleUse }: RequestProgressOptions): RequestProgress {
  const stops = new Map<string, () => void>();

  function stop(requestId: string): void {
    stops.get(requestId)?.();
    stops.delete(requestId);
  }

  return {
    start(row) {
      const record = () => {
        const output = possibleOutput(Math.max(0, clock.now() - row.at), row.usage.output);
        if (output >= row.usage.output) stop(row.id); // from here on everything is possible
        // A failing store is reported by the next commit.
        ledger.recordPossibleUse(row, possibleUse(row, output)).catch(() => undefined);
      };
      stops.set(row.id, clock.every(RECORD_MS, record));
    },
    stop,
  };
}
