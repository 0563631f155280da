import type { StopReason } from "../../policy/stop-reason.ts";
import type { Finding } from "../../state/finding.ts";
import { chant } from "./chant.ts";
import { compaction } from "./compaction.ts";
import { cycle } from "./cycle.ts";
import { denial } from "./denial.ts";
import type { Detector } from "./detector.ts";
import { doomLoop } from "./doom-loop.ts";
import { failingCall } from "./failing-call.ts";
import { failingRun } from "./failing-run.ts";
import { failingTool } from "./failing-tool.ts";
import { monologue } from "./monologue.ts";
import { noProgress } from "./no-progress.ts";
import { refusedAnswers } from "./refused-answers.ts";
import { sameCall } from "./same-call.ts";
import { seedAar } from "./seed-aar.ts";
import { seedLlmRb } from "./seed-llm-rb.ts";
import { seedRyvos } from "./seed-ryvos.ts";
import { seedToolGuardrails } from "./seed-tool-guardrails.ts";
import { sideEffectRepeat } from "./side-effect-repeat.ts";
import { slowTool } from "./slow-tool.ts";
import { spawn } from "./spawn.ts";
import { stall } from "./stall.ts";
import { stuckChild } from "./stuck-child.ts";

/** The detectors that look at calls. */
export const detectors = [
  sideEffectRepeat,
  failingCall,
  cycle,
  doomLoop,
  failingTool,
  noProgress,
  sameCall,
  failingRun,
  denial,
] as const;

/** The detectors that look at streams, answers, time, subagents and the context. */
export const watchers = [chant, refusedAnswers, monologue, stall, spawn, stuckChild, compaction] as const;

/** Watchers that share the name of another one, because they look at the same thing at another moment. */
export const furtherWatchers = [slowTool] as const;

/** The rules of the seed systems, each for the preset of its name: after a call, or before it. */
export const seedDetectors = [seedRyvos, seedToolGuardrails] as const;
export const seedWatchers = [seedAar, seedLlmRb] as const;
export const seeds = [...seedDetectors, ...seedWatchers] as const;

const allDetectors: readonly Omit<Detector, "detect">[] = [...detectors, ...watchers, ...seeds];

/** The reason of a run that a detector ends. */
export function stopReasonOf(detector: Finding["detector"]): StopReason {
  return allDetectors.find(({ name }) => name === detector)?.reason ?? "no_progress";
}

/** Whether the episodes of a detector stay open whatever calls are made. */
export function closedByNoCall(detector: Finding["detector"]): boolean {
  return allDetectors.find(({ name }) => name === detector)?.isClosedByNoCall === true;
}
