import { cycle } from "./cycle.ts";
import { denial } from "./denial.ts";
import { doomLoop } from "./doom-loop.ts";
import { failingCall } from "./failing-call.ts";
import { failingRun } from "./failing-run.ts";
import { failingTool } from "./failing-tool.ts";
import { noProgress } from "./no-progress.ts";
import { sameCall } from "./same-call.ts";
import { sideEffectRepeat } from "./side-effect-repeat.ts";

/** The detectors that look at calls. Where several see the same calls, the first in this order names the cause. A new one is one file and one line here. */
export const detectors = [sideEffectRepeat, failingCall, cycle, doomLoop, failingTool, noProgress, sameCall, failingRun, denial] as const;

export type CallDetectorName = (typeof detectors)[number]["name"];
