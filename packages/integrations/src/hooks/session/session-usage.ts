import type { SignalInput } from "@sheepdog/guardian";

/** Totals that only grow. */
export interface UsageTotals {
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** What a session has used by its recording, and what attached agents have spent. */
export interface SessionUsage extends UsageTotals {
  readonly model?: string;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** False once a request had no price. */
  readonly isPriced: boolean;
  /** Of all attached agents, with the names of the day and the month. */
  readonly spent?: {
    readonly day: string;
    readonly dayNanoUsd: number;
    readonly month: string;
    readonly monthNanoUsd: number;
  };
}

/** The totals for the limits of a guardian. A run begins with a prompt of a person. */
export function usageSignal(usage: SessionUsage, atPrompt: UsageTotals = { tokens: 0, costNanoUsd: 0 }): SignalInput {
  const { tokens, costNanoUsd, isPriced, spent } = usage;
  return {
    type: "usage",
    isPriced,
    used: {
      "run-tokens": Math.max(0, tokens - atPrompt.tokens),
      "run-cost": Math.max(0, costNanoUsd - atPrompt.costNanoUsd),
      "session-cost": costNanoUsd,
      ...(spent === undefined ? {} : { "day-cost": spent.dayNanoUsd, "month-cost": spent.monthNanoUsd }),
    },
    ...(spent === undefined ? {} : { day: spent.day, month: spent.month }),
  };
}
