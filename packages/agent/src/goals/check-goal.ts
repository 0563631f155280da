import type { CustomCheck, Goal } from "../protocol/goal.ts";
import { isRecord } from "../protocol/json.ts";
import { MAX_TIMER_SECS } from "../protocol/settings.ts";
import type { Check } from "./check.ts";

/** The sum of weights stays a number that can be divided by. */
const MAX_WEIGHT = 1_000_000;
/** The judge's question has a line for each. */
const MAX_PARTS = 200;

export interface CheckGoalOptions {
  /** The functions that `Custom` may name; absent: any name is accepted, as a judge of the caller decides. */
  readonly checks?: Readonly<Record<string, Check>>;
}

/**
 * Throws a sentence for a goal that cannot be judged: what was expected, and what came. Goals also come from
 * JavaScript and from files, without type checks.
 */
export function checkGoal(goal: Goal, { checks }: CheckGoalOptions = {}): void {
  const given: unknown = goal;
  if (!isRecord(given) || !isText(given["text"])) throw problem("a goal with a text that says what is to be achieved");
  checkFields("a goal", given, ["text", "criteria", "threshold", "constraints"]);
  const { criteria = [], constraints = [], threshold = 1 } = given;
  checkList("criteria", criteria);
  checkList("constraints", constraints);
  if (typeof threshold !== "number" || !(threshold > 0 && threshold <= 1))
    throw problem("a goal with a `threshold` above 0 and at most 1", threshold);
  for (const [index, criterion] of criteria.entries()) checkCriterion(criterion, `criteria[${index}]`);
  for (const [index, constraint] of constraints.entries()) checkConstraint(constraint, `constraints[${index}]`);
  const missing = checks === undefined ? undefined : missingCheck(goal, checks);
  if (missing !== undefined) throw new TypeError(missing);
}

/** A sentence about the first `Custom` check that the runtime does not have. */
export function missingCheck(
  { criteria = [], constraints = [] }: Goal,
  checks: Readonly<Record<string, Check>>,
): string | undefined {
  const used = [...criteria, ...constraints.flatMap(({ rule }) => rule ?? [])];
  const missing = used.find((each): each is CustomCheck => each.type === "Custom" && !Object.hasOwn(checks, each.name));
  if (missing === undefined) return undefined;
  const names = Object.keys(checks);
  const there = names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
  const expected = "Expected a goal whose checks are in the runtime's option `checks`";
  return `${expected}: ${shown(missing.name)} is not; ${there}.`;
}

type Fields = Readonly<Record<string, Field>>;
interface Field {
  readonly words: string;
  readonly isOptional?: true;
  holds(value: unknown): boolean;
}

const text: Field = { words: "a text that is not empty", holds: isText };
const truth: Field = { words: "true or false", isOptional: true, holds: (value) => typeof value === "boolean" };
const positive: Field = { words: "a number above 0", holds: isPositive };
const weight: Field = {
  words: `a number above 0 and at most ${MAX_WEIGHT}`,
  isOptional: true,
  holds: (value) => isPositive(value) && value <= MAX_WEIGHT,
};
const timeoutSecs: Field = {
  words: `a number of seconds above 0 and at most ${MAX_TIMER_SECS}`,
  isOptional: true,
  holds: (value) => isPositive(value) && value <= MAX_TIMER_SECS,
};
const texts: Field = {
  words: "a list of texts that are not empty",
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
};

const command: Fields = { command: text, timeoutSecs };
const custom: Fields = { name: text };

/** The fields of each type besides `type` and `weight`. */
const criterionFields: Readonly<Record<string, Fields>> = {
  OutputContains: { text, ignoreCase: truth },
  OutputEquals: { text },
  Command: command,
  Custom: custom,
  LlmJudge: { text },
};

const ruleFields: Readonly<Record<string, Fields>> = {
  OutputExcludes: { text, ignoreCase: truth },
  Command: command,
  Custom: custom,
  MaxTurns: {
    turns: { words: "a whole number above 0", holds: (value) => isPositive(value) && Number.isInteger(value) },
  },
  MaxSeconds: { seconds: positive },
  MaxCost: { cents: positive },
  ForbiddenTools: { tools: texts },
  OnlyFiles: { files: texts },
};

function checkList(name: string, list: unknown): asserts list is readonly unknown[] {
  if (!Array.isArray(list)) throw problem(`a goal whose \`${name}\` are a list`, list);
  if (list.length > MAX_PARTS) throw problem(`a goal with at most ${MAX_PARTS} \`${name}\``, list.length);
}

function checkCriterion(criterion: unknown, place: string): void {
  checkTyped("a criterion", criterion, { place, types: criterionFields, more: { weight } });
}

function checkConstraint(constraint: unknown, place: string): void {
  const at = `a goal whose \`${place}\` has`;
  if (!isRecord(constraint)) throw problem(`${at} a \`level\` and a \`text\``, constraint);
  const { level, rule } = constraint;
  if (level !== "must" && level !== "should") throw problem(`${at} the \`level\` must or should`, level);
  if (!isText(constraint["text"])) throw problem(`${at} a \`text\` that is not empty`, constraint["text"]);
  checkFields(`a constraint (\`${place}\`)`, constraint, ["level", "text", "rule"]);
  if (rule !== undefined) checkTyped("a rule", rule, { place: `${place}.rule`, types: ruleFields, more: {} });
}

interface TypedOptions {
  readonly place: string;
  readonly types: Readonly<Record<string, Fields>>;
  readonly more: Fields;
}

function checkTyped(what: string, value: unknown, { place, types, more }: TypedOptions): void {
  const at = `a goal whose \`${place}\` is ${what}`;
  const type = isRecord(value) ? value["type"] : undefined;
  const own = typeof type === "string" && Object.hasOwn(types, type) ? types[type] : undefined;
  if (!isRecord(value) || own === undefined)
    throw problem(`${at} of one of the types ${Object.keys(types).join(", ")}`, isRecord(value) ? type : value);
  const fields: Fields = { ...own, ...more };
  for (const [name, field] of Object.entries(fields)) {
    const isAbsent = value[name] === undefined && field.isOptional === true;
    if (!isAbsent && !field.holds(value[name])) throw problem(`${at} with a \`${name}\`: ${field.words}`, value[name]);
  }
  checkFields(`${what} (\`${place}\`)`, value, ["type", ...Object.keys(fields)]);
}

function checkFields(what: string, value: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`Expected a goal without unknown fields: ${what} has ${names.join(", ")}; got ${unknown}.`);
}

function problem(expected: string, ...given: readonly unknown[]): TypeError {
  return new TypeError(`Expected ${expected}${given.map((value) => `, got ${shown(value)}`).join("")}.`);
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
