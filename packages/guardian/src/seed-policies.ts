import { bounds } from "./bounds.ts";
import { seedAar } from "./judge/detectors/seed-aar.ts";
import { checkThreshold, seedLlmRb } from "./judge/detectors/seed-llm-rb.ts";
import { seedRyvos } from "./judge/detectors/seed-ryvos.ts";
import { seedToolGuardrails } from "./judge/detectors/seed-tool-guardrails.ts";
import type { Limit, Policy } from "./policy.ts";

const NANO_USD_PER_CENT = 10_000_000;

/** What the policies of the seed systems share: their own rule, at the counts their documents state whoever watches, and nothing else. */
const plain: Omit<Policy, "name"> = {
  mode: "guide",
  attendedScale: 1,
  stallMs: 120_000,
  spawn: { depth: 4, perRun: 50, perMinute: 20 },
  unpriced: "refuse-under-limit",
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

/** Ryvos: hints at the third equal call and climbs by three, never blocks; warns at 80 % of the context, stops at 95. */
export function ryvosPolicy(settings: RyvosSettings = {}): Policy {
  const {
    enabled = true,
    doomLoopThreshold: every = 3,
    stallTimeoutSecs = 120,
    tokenBudgetSoft = 80,
    tokenBudgetHard = 95,
  } = settings;
  const { monthlyLimitCents = 0, warningThresholdCents = 0, perRunLimitCents = 0 } = settings;
  return {
    ...plain,
    name: "ryvos",
    mode: "advise",
    stallMs: stallTimeoutSecs * 1_000,
    detectors: enabled
      ? {
          ...(every > 0
            ? { [seedRyvos.name]: { hint: every, warn: 2 * every, block: 3 * every, halt: 4 * every } }
            : {}),
          stall: { hint: 1, halt: 3 },
        }
      : {},
    limits: {
      context: limit(tokenBudgetSoft, tokenBudgetHard),
      "run-cost": limit(0.8 * perRunLimitCents * NANO_USD_PER_CENT, perRunLimitCents * NANO_USD_PER_CENT),
      "month-cost": limit(warningThresholdCents * NANO_USD_PER_CENT, monthlyLimitCents * NANO_USD_PER_CENT),
    },
  };
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

/** AAR: the run ends when a step repeats the one before for the third time, before it is executed. Values are compared by their first 200 characters. */
export function aarPolicy(settings: AarSettings = {}): Policy {
  const { maxRepeatedToolSteps = 3, tokenBudget = 0, costLimit = 0, maxSteps = 50, timeout = 0 } = settings;
  return {
    ...plain,
    name: "aar",
    argumentChars: 200,
    detectors: maxRepeatedToolSteps > 0 ? { [seedAar.name]: { halt: maxRepeatedToolSteps + 1 } } : {},
    limits: {
      "run-tokens": limit(0, tokenBudget),
      // AAR sums over the session; where the caller tells the run alone, that is held to it too.
      "run-cost": limit(0, costLimit * 100 * NANO_USD_PER_CENT),
      "session-cost": limit(0, costLimit * 100 * NANO_USD_PER_CENT),
      turns: limit(0, maxSteps),
      time: limit(0, timeout * 1_000),
    },
  };
}

/** llm.rb: all pending calls are refused once the tail of the calls has repeated so often; a run that insists is ended at the 25th attempt. */
export function llmRbPolicy({ threshold = 3 }: { readonly threshold?: number } = {}): Policy {
  checkThreshold(threshold);
  return {
    ...plain,
    name: "llm-rb",
    detectors: { [seedLlmRb.name]: { block: threshold, halt: Math.max(threshold, 25) } },
  };
}

/** The rungs of the tool guardrails: `warn` for failures of one tool, `block` for those, for equal calls that fail and for equal answers, `halt` for failures in all; 0 is off. */
export interface ToolGuardrailsSettings {
  readonly warn?: number;
  readonly block?: number;
  readonly halt?: number;
}

/** Tool guardrails: warns, blocks the tool, ends the run. Its document gives no counts: 3 / 5 / 5 / 8 / 2 / 5 are ours. */
export function toolGuardrailsPolicy({ warn = 3, block = 5, halt = 8 }: ToolGuardrailsSettings = {}): Policy {
  const rungs = Object.entries({ warn, block, halt }).filter(([level, rung]) => checkRung(level, rung) > 0);
  return { ...plain, name: "tool-guardrails", detectors: { [seedToolGuardrails.name]: Object.fromEntries(rungs) } };
}

/** The rung, if calls can reach it: one failure alone is no finding, and further back than the newest calls nothing is counted. */
function checkRung(level: string, rung: number): number {
  if (rung === 0 || (Number.isInteger(rung) && rung >= 2 && rung <= bounds.history)) return rung;
  throw new RangeError(
    `Expected ${level} to be a whole number from 2 to ${bounds.history}, or 0 (off), got ${String(rung)}.`,
  );
}

/** A limit; what is zero is off. */
function limit(warn: number, stop: number): Limit {
  return { ...(warn > 0 ? { warn: Math.round(warn) } : {}), ...(stop > 0 ? { stop: Math.round(stop) } : {}) };
}
