import type { Limit } from "./limit.ts";
import type { Policy } from "./policy.ts";

const NANO_USD_PER_CENT = 10_000_000;

/** The state compares this many calls in full (`bounds.history`); a rung above it would never be reached. */
const MAX_RUNG = 32;

/** The common part of the seed systems' policies: only their own rule, with the counts of their documents. */
const plain: Omit<Policy, "name"> = {
  mode: "guide",
  attendedScale: 1,
  stallMs: 120_000,
  spawn: { depth: 4, perRun: 50, perMinute: 20 },
  unpriced: "refuse-under-limit",
  secondOpinion: "off",
  detectors: {},
  limits: {},
  tools: [],
};

/** The settings of Ryvos' guardian and budget, under their own names. */
export interface RyvosSettings {
  readonly enabled?: boolean;
  readonly doomLoopThreshold?: number;
  readonly stallTimeoutSecs?: number;
  /** Percent of the context. */
  readonly tokenBudgetSoft?: number;
  readonly tokenBudgetHard?: number;
  readonly monthlyLimitCents?: number;
  readonly warningThresholdCents?: number;
  readonly perRunLimitCents?: number;
}

/**
 * Ryvos: a hint at the third equal call, then a level every three calls; never blocks. Context: warns at 80 %, stops
 * at 95 %.
 */
export function ryvosPolicy(settings: RyvosSettings = {}): Policy {
  const { enabled = true, doomLoopThreshold = 3, stallTimeoutSecs = 120 } = settings;
  const { tokenBudgetSoft = 80, tokenBudgetHard = 95 } = settings;
  const { monthlyLimitCents = 0, warningThresholdCents = 0, perRunLimitCents = 0 } = settings;
  return {
    ...plain,
    name: "ryvos",
    mode: "advise",
    stallMs: stallTimeoutSecs * 1_000,
    detectors: enabled ? ryvosDetectors(doomLoopThreshold) : {},
    limits: {
      context: limit(tokenBudgetSoft, tokenBudgetHard),
      "run-cost": limit(0.8 * perRunLimitCents * NANO_USD_PER_CENT, perRunLimitCents * NANO_USD_PER_CENT),
      "month-cost": limit(warningThresholdCents * NANO_USD_PER_CENT, monthlyLimitCents * NANO_USD_PER_CENT),
    },
  };
}

function ryvosDetectors(threshold: number): Policy["detectors"] {
  const stall = { hint: 1, halt: 3 };
  if (threshold <= 0) return { stall };
  const rungs = { hint: threshold, warn: 2 * threshold, block: 3 * threshold, halt: 4 * threshold };
  return { "seed-ryvos": rungs, stall };
}

/** The settings of AAR's loop, under their own names; 0 is off. */
export interface AarSettings {
  readonly maxRepeatedToolSteps?: number;
  readonly tokenBudget?: number;
  /** In dollars. */
  readonly costLimit?: number;
  readonly maxSteps?: number;
  /** In seconds. */
  readonly timeout?: number;
}

/**
 * AAR: ends the run before a step repeats the step before it for the third time. Compares the first 200 characters of
 * values.
 */
export function aarPolicy(settings: AarSettings = {}): Policy {
  const { maxRepeatedToolSteps = 3, tokenBudget = 0, costLimit = 0, maxSteps = 50, timeout = 0 } = settings;
  return {
    ...plain,
    name: "aar",
    argumentChars: 200,
    detectors: maxRepeatedToolSteps > 0 ? { "seed-aar": { halt: maxRepeatedToolSteps + 1 } } : {},
    limits: {
      "run-tokens": limit(0, tokenBudget),
      // AAR sums over the session. A caller that only sends the cost of the run is held to the same limit.
      "run-cost": limit(0, costLimit * 100 * NANO_USD_PER_CENT),
      "session-cost": limit(0, costLimit * 100 * NANO_USD_PER_CENT),
      turns: limit(0, maxSteps),
      time: limit(0, timeout * 1_000),
    },
  };
}

/** The number of repetitions of llm.rb's guard when the caller sets none. */
export const DEFAULT_THRESHOLD = 3;

/** llm.rb: refuses all pending calls when the newest calls repeat a pattern; the 25th attempt ends the run. */
export function llmRbPolicy({ threshold = DEFAULT_THRESHOLD }: { readonly threshold?: number } = {}): Policy {
  checkThreshold(threshold);
  return {
    ...plain,
    name: "llm-rb",
    detectors: { "seed-llm-rb": { block: threshold, halt: Math.max(threshold, 25) } },
  };
}

/** Throws for a number of repetitions that makes no sense. */
export function checkThreshold(threshold: number): void {
  if (Number.isInteger(threshold) && threshold >= 2) return;
  throw new RangeError(
    `Expected a threshold that is a whole number from 2 up (1 would block every call), got ${String(threshold)}.`,
  );
}

/**
 * The rungs of the tool guardrails; 0 is off. `warn` counts failures of one tool, `halt` counts all failures,
 * `block` counts failures of one tool, equal failing calls and equal answers.
 */
export interface ToolGuardrailsSettings {
  readonly warn?: number;
  readonly block?: number;
  readonly halt?: number;
}

/**
 * Tool guardrails: warns, blocks the tool, ends the run. Its document gives no counts; the defaults are Sheepdog's
 * own.
 */
export function toolGuardrailsPolicy({ warn = 3, block = 5, halt = 8 }: ToolGuardrailsSettings = {}): Policy {
  const rungs = Object.entries({ warn, block, halt }).filter(([level, rung]) => checkRung(level, rung) > 0);
  return { ...plain, name: "tool-guardrails", detectors: { "seed-tool-guardrails": Object.fromEntries(rungs) } };
}

/** Returns the rung if calls can reach it: one failure alone is no finding. */
function checkRung(level: string, rung: number): number {
  if (rung === 0 || (Number.isInteger(rung) && rung >= 2 && rung <= MAX_RUNG)) return rung;
  throw new RangeError(
    `Expected ${level} to be a whole number from 2 to ${MAX_RUNG}, or 0 (off), got ${String(rung)}.`,
  );
}

/** A limit without the parts that are zero. */
function limit(warn: number, stop: number): Limit {
  return { ...(warn > 0 ? { warn: Math.round(warn) } : {}), ...(stop > 0 ? { stop: Math.round(stop) } : {}) };
}
