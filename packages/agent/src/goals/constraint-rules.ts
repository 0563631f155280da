import { globMatch } from "../protocol/glob-match.ts";
import type { Constraint, ConstraintRule } from "../protocol/goal.ts";
import type { Message } from "../protocol/messages.ts";
import type { CheckRunner } from "./check-runner.ts";
import { containsText } from "./criteria.ts";
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

/** Evaluates a constraint as far as it needs no model. */
export async function evaluateConstraint(
  { text, level, rule }: Constraint,
  input: JudgeInput,
  checks: CheckRunner,
): Promise<ConstraintResult> {
  if (rule === undefined) return { text, level, isForModel: true, isFinal: false, isRespected: null };
  return { text, level, isForModel: false, isFinal: isFinalRule(rule), ...(await applyRule(rule, input, checks)) };
}

function isFinalRule({ type }: ConstraintRule): boolean {
  return type !== "OutputExcludes" && type !== "Command" && type !== "Custom";
}

type RuleResult = Pick<ConstraintResult, "isRespected" | "reason">;

async function applyRule(rule: ConstraintRule, input: JudgeInput, checks: CheckRunner): Promise<RuleResult> {
  switch (rule.type) {
    case "OutputExcludes":
      return unless(containsText(input.output, rule), `The answer contains ${JSON.stringify(rule.text)}.`);
    case "Command":
    case "Custom": {
      const { isPassed, reason } = await checks.run(rule, input);
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
      return unlessAny(forbiddenTools(rule.tools, input), "The run has used");
    case "OnlyFiles":
      return unlessAny(otherFiles(rule.files, input.writtenFiles()), "The run has written");
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

/** The forbidden tools that calls of this run have used. A refused call has used none. */
function forbiddenTools(patterns: readonly string[], { messages, startedAt }: JudgeInput): readonly string[] {
  const used = messages
    .filter(({ at }) => at >= startedAt)
    .flatMap((message) => (isExecuted(message) ? message.tool : []));
  const isForbidden = matchesAny(patterns);
  return [...new Set(used)].filter((name) => isForbidden([name]));
}

function isExecuted(message: Message): message is Extract<Message, { readonly role: "tool" }> {
  return (
    message.role === "tool" &&
    message.status !== "denied" &&
    message.status !== "unknown-tool" &&
    message.status !== "invalid-arguments"
  );
}

function otherFiles(patterns: readonly string[], files: readonly string[]): readonly string[] {
  const isAllowed = matchesAny(patterns);
  return files.filter((path) => path.startsWith("/") || !isAllowed(path.split(/[\\/]/)));
}

/** A pattern with too many alternatives matches nothing. */
function matchesAny(patterns: readonly string[]): (components: readonly string[]) => boolean {
  const matches = patterns.flatMap((pattern) => globMatch(pattern) ?? []);
  return (components) => matches.some((match) => match(components));
}

function unlessAny(names: readonly string[], what: string): RuleResult {
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return unless(names.length > 0, `${what} ${names.slice(0, MAX_LISTED).join(", ")}${more}.`);
}

function unless(isViolated: boolean, reason: string): RuleResult {
  return isViolated ? { isRespected: false, reason } : { isRespected: true };
}
