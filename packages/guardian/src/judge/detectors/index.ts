import type { DetectorName } from "../../policy.ts";
import { cycle } from "./cycle.ts";
import { denial } from "./denial.ts";
import type { Detector } from "./detector.ts";
import { doomLoop } from "./doom-loop.ts";
import { failingCall } from "./failing-call.ts";
import { failingRun } from "./failing-run.ts";
import { failingTool } from "./failing-tool.ts";
import { noProgress } from "./no-progress.ts";
import { sameCall } from "./same-call.ts";
import { sideEffectRepeat } from "./side-effect-repeat.ts";

/** The detectors that look at calls. A new one is one file and one line here; its place in `detectorNames` decides who names a cause. */
export const callDetectors: Readonly<Partial<Record<DetectorName, Detector>>> = {
  "side-effect-repeat": sideEffectRepeat,
  "failing-call": failingCall,
  cycle,
  "doom-loop": doomLoop,
  "failing-tool": failingTool,
  "no-progress": noProgress,
  "same-call": sameCall,
  "failing-run": failingRun,
  denial,
};
