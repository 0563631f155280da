import type { Constraint, ConstraintRule } from "../protocol/goal.ts";
import type { CheckRunner } from "./check-runner.ts";
import { containsText } from "./criteria.ts";
import { type FileRules, matchesAny } from "./file-rules.ts";
import type { JudgeInput } from "./judge.ts";

const NANO_USD_PER_CENT = 10_000_000;
/** How many names a reason lists. */
const MAX_LISTED = 5;

/** A constraint, evaluated. */
export interface ConstraintResult {
  readonly text: string;
  readonly level: Constraint["level"];
  /** The model decides. */
  readonly isForModel: boolean;
  /** A violation stays a violation, whatever the agent does next. */
  readonly isFinal: boolean;
  /** Null: not decided yet, or it cannot be decided. */
  readonly isRespected: boolean | null;
  readonly reason?: string;
}

/** What is remembered between the turns of a run. */
export interface RuleMemory {
  readonly checks: CheckRunner;
  readonly files: FileRules;
}

/** Evaluates a constraint as far as it needs no model. */
export async function evaluateConstraint(
  { text, level, rule }: Constraint,
  input: JudgeInput,
  memory: RuleMemory,
): Promise<ConstraintResult> {
  if (rule === undefined) return { text, level, isForModel: true, isFinal: false, isRespected: null };
  return { text, level, isForModel: false, isFinal: isFinalRule(rule), ...(await applyRule(rule, input, memory)) };
}

function isFinalRule({ type }: ConstraintRule): boolean {
  return type !== "OutputExcludes" && type !== "Command" && type !== "Custom";
}

type RuleResult = Pick<ConstraintResult, "isRespected" | "reason">;

async function applyRule(rule: ConstraintRule, input: JudgeInput, memory: RuleMemory): Promise<RuleResult> {
  switch (rule.type) {
    case "OutputExcludes":
      return unless(containsText(input.output, rule), `The answer contains ${JSON.stringify(rule.text)}.`);
    case "Command":
    case "Custom": {
      const { isPassed, reason } = await memory.checks.run(rule, input);
      return { isRespected: isPassed, ...(reason === undefined ? {} : { reason }) };
    }
    case "MaxTurns":
      return unless(input.turn > rule.turns, `The run has had ${input.turn} turns; ${rule.turns} are allowed.`);
    case "MaxSeconds": {
      const seconds = input.elapsedMs / 1_000;
      return unless(
        seconds > rule.seconds,
        `The run has taken ${Math.round(seconds)} s; ${rule.seconds} s are allowed.`,
      );
    }
    case "MaxCost":
      return maxCost(rule.cents, input.costNanoUsd);
    case "ForbiddenTools":
      return unlessAny(forbiddenTools(rule.tools, input.usedTools()), "The run has used");
    case "OnlyFiles":
      return unlessAny(memory.files.others(rule.files, input.writtenFiles()), "The run has written");
    default:
      return rule satisfies never;
  }
}

function maxCost(cents: number, costNanoUsd: number | null): RuleResult {
  if (costNanoUsd === null)
    return { isRespected: null, reason: "The cost of the run is unknown: a model has no price." };
  const spentCents = costNanoUsd / NANO_USD_PER_CENT;
  return unless(spentCents > cents, `The run has cost ${spentCents.toFixed(2)} cents; ${cents} are allowed.`);
}

/** The used tools that match one of the patterns. */
export function forbiddenTools(patterns: readonly string[], used: readonly string[]): readonly string[] {
  const isForbidden = matchesAny(patterns);
  return used.filter((name) => isForbidden([name]));
}

function unlessAny(names: readonly string[], what: string): RuleResult {
  return unless(names.length > 0, `${what} ${listed(names)}.`);
}

/** The first names, and how many there are besides. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return `${names.slice(0, MAX_LISTED).join(", ")}${more}`;
}

function unless(isViolated: boolean, reason: string): RuleResult {
  return isViolated ? { isRespected: false, reason } : { isRespected: true };
}
