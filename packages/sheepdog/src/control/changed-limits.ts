import type { LimitName } from "@sheepdog/guardian";

/** The amounts of limits that were changed during a run, each in its own unit; 0 if it was removed. */
export type ChangedLimits = Readonly<Partial<Record<LimitName, number | undefined>>>;
