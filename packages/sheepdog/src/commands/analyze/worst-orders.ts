import type { WorstBy } from "../../look-back/worst-runs.ts";

/** What the worst runs can be ordered by. */
export const worstOrders = ["cost", "calls", "time", "saved", "spent"] as const satisfies readonly WorstBy[];
