import type { DetectorName } from "@sheepdog/guardian";

/** The detectors that count equal calls. Others count failures of any call, answers or notes. */
export const equalCallDetectors: readonly DetectorName[] = [
  "side-effect-repeat",
  "failing-call",
  "cycle",
  "doom-loop",
  "same-call",
  "seed-ryvos",
  "seed-tool-guardrails",
  "seed-aar",
  "seed-llm-rb",
];
