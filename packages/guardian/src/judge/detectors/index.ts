import { chant } from "./chant.ts";
import { compaction } from "./compaction.ts";
import { cycle } from "./cycle.ts";
import { denial } from "./denial.ts";
import { doomLoop } from "./doom-loop.ts";
import { failingCall } from "./failing-call.ts";
import { failingRun } from "./failing-run.ts";
import { failingTool } from "./failing-tool.ts";
import { monologue } from "./monologue.ts";
import { noProgress } from "./no-progress.ts";
import { sameCall } from "./same-call.ts";
import { seedAar } from "./seed-aar.ts";
import { seedLlmRb } from "./seed-llm-rb.ts";
import { seedRyvos } from "./seed-ryvos.ts";
import { seedToolGuardrails } from "./seed-tool-guardrails.ts";
import { sideEffectRepeat } from "./side-effect-repeat.ts";
import { spawn } from "./spawn.ts";
import { stall } from "./stall.ts";
import { stuckChild } from "./stuck-child.ts";

/** The detectors that look at calls. Where several see the same calls, the first in this order names the cause. A new one is one file and one line here. */
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

/** Those that look at streams, time, subagents and the context. */
export const watchers = [chant, monologue, stall, spawn, stuckChild, compaction] as const;

/** The rules of the seed systems, each for the preset of its name: after a call, or before it. */
export const seedDetectors = [seedRyvos, seedToolGuardrails] as const;
export const seedWatchers = [seedAar, seedLlmRb] as const;
export const seeds = [...seedDetectors, ...seedWatchers] as const;

/** All of them, in the order in which they name a cause. */
export const all = [...detectors, ...watchers, ...seeds] as const;

export type CallDetectorName = (typeof detectors)[number]["name"];
export type WatcherName = (typeof watchers)[number]["name"];
export type SeedName = (typeof seeds)[number]["name"];
