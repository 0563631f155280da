/** What the worst runs are ordered by. */
export const worstOrders = ["cost", "calls", "time", "saved"] as const;

/** One of them. */
export type WorstOrder = (typeof worstOrders)[number];
