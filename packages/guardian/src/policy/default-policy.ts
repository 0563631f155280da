import { callDetectorRungs, watcherRungs } from "./detector-rungs.ts";
import type { Policy } from "./policy.ts";

/** All detectors on; a hint and a warning come before a refusal or the end of the run. No limits. */
export const defaultPolicy: Policy = {
  name: "default",
  mode: "guide",
  attendedScale: 1,
  stallMs: 120_000,
  spawn: { depth: 4, perRun: 50, perMinute: 20 },
  unpriced: "refuse-under-limit",
  secondOpinion: "off",
  detectors: { ...callDetectorRungs, ...watcherRungs },
  limits: {},
  tools: [],
};
