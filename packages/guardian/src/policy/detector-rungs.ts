import type { Rungs } from "./rungs.ts";

/** The detectors that look at calls, with their default rungs. */
export const callDetectorRungs = {
  "side-effect-repeat": { suspect: 2, hint: 3, block: 4, halt: 5 },
  "failing-call": { suspect: 2, hint: 3, warn: 4, block: 5, halt: 8 },
  cycle: { suspect: 2, hint: 3, warn: 4, block: 5, halt: 7 },
  "doom-loop": { suspect: 2, hint: 3, warn: 4, block: 5, halt: 8 },
  "failing-tool": { suspect: 3, hint: 4, warn: 6, halt: 10 },
  "no-progress": { suspect: 3, hint: 4, warn: 6, halt: 10 },
  "same-call": { suspect: 15, hint: 20, warn: 30, halt: 60 },
  "failing-run": { suspect: 6, warn: 8, halt: 14 },
  denial: { halt: 5 },
} as const satisfies Record<string, Rungs>;

/** The detectors that look at streams, answers, time, subagents and the context, with their default rungs. */
export const watcherRungs = {
  chant: { hint: 1, warn: 2, halt: 3 },
  "refused-answers": { warn: 3, halt: 5 },
  monologue: { hint: 3, warn: 4, halt: 6 },
  stall: { hint: 1, halt: 3 },
  spawn: { block: 1, halt: 5 },
  "stuck-child": { hint: 2, warn: 3, halt: 5 },
  compaction: { warn: 2, halt: 3 },
} as const satisfies Record<string, Rungs>;

/** The rules of the seed systems, each used by the preset of its name only. */
const seedNames = ["seed-ryvos", "seed-tool-guardrails", "seed-aar", "seed-llm-rb"] as const;

type CallDetectorName = keyof typeof callDetectorRungs;
type WatcherName = keyof typeof watcherRungs;
type SeedName = (typeof seedNames)[number];
export type DetectorName = CallDetectorName | WatcherName | SeedName;

/** All detectors. Where several find the same calls, the first in this order names the cause. */
export const detectorNames: readonly DetectorName[] = [
  ...(Object.keys(callDetectorRungs) as CallDetectorName[]), // a record has exactly its own keys
  ...(Object.keys(watcherRungs) as WatcherName[]),
  ...seedNames,
];
