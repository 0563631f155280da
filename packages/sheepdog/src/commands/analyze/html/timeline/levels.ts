import type { Level } from "@sheepdog/guardian";

/** The height of a level. */
export const levelRank = { hint: 1, warn: 2, block: 3, halt: 4 } as const satisfies Record<Level, number>;

/** What a level does, as its title. */
export const levelName = { hint: "Hint", warn: "Warning", block: "Refusal", halt: "End" } as const satisfies Record<
  Level,
  string
>;
