/** `guide` uses all rungs; `advise` never denies a call; `observe` computes everything and does nothing. */
export type Mode = "guide" | "advise" | "observe";
export const modes: readonly Mode[] = ["guide", "advise", "observe"];
