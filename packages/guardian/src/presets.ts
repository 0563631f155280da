import { detectors } from "./judge/detectors/index.ts";
import type { Policy } from "./policy.ts";

/** Guides before it bites: all detectors on, no limits until some are set. */
export const defaultPolicy: Policy = {
  name: "default",
  mode: "guide",
  attendedScale: 2,
  stallMs: 120_000,
  detectors: Object.fromEntries(detectors.map(({ name, rungs }) => [name, rungs])),
  limits: {},
  tools: [],
};

/** For unattended work with side effects: every rung comes one step sooner. */
export const strictPolicy: Policy = {
  ...defaultPolicy,
  name: "strict",
  attendedScale: 1,
  detectors: {
    "side-effect-repeat": { hint: 2, block: 3, halt: 4 },
    "failing-call": { hint: 2, warn: 3, block: 4, halt: 6 },
    cycle: { hint: 2, warn: 3, block: 4, halt: 5 },
    "doom-loop": { hint: 2, warn: 3, block: 4, halt: 6 },
    "failing-tool": { hint: 3, warn: 5, halt: 8 },
    "no-progress": { hint: 3, warn: 5, halt: 8 },
    "same-call": { hint: 15, warn: 20, halt: 30 },
    "failing-run": { warn: 6, halt: 10 },
    denial: { halt: 4 },
  },
};

/** No detector looks; limits that are set hold all the same. */
export const offPolicy: Policy = { ...defaultPolicy, name: "off", detectors: {} };

/** The policies that have a name. */
export const presets: { readonly default: Policy; readonly strict: Policy; readonly off: Policy } = {
  default: defaultPolicy,
  strict: strictPolicy,
  off: offPolicy,
};
