import { detectors, watchers } from "./judge/detectors/index.ts";
import type { Policy } from "./policy.ts";

/** Guides before it bites: all detectors on, no limits until some are set. */
export const defaultPolicy: Policy = {
  name: "default",
  mode: "guide",
  attendedScale: 2,
  stallMs: 120_000,
  spawn: { depth: 4, perRun: 50, perMinute: 20 },
  unpriced: "refuse-under-limit",
  detectors: Object.fromEntries([...detectors, ...watchers].map(({ name, rungs }) => [name, rungs])),
  limits: {},
  tools: [],
};
