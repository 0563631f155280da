import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Criterion, Goal } from "@sheepdog/agent";
import type { RunOptions } from "../../config/run-options.ts";
import { shownPath } from "../../config/shown-path.ts";
import { type GoalProblems, readGoalFile } from "./goal-file.ts";
import { readTextFile } from "./read-text.ts";

/** Characters. A longer `--goal` is a text, not the name of a file. */
const MAX_FILE_NAME_LENGTH = 1_000;

/** The options that make a goal. */
type GoalOptions = Pick<RunOptions, "goal" | "expect" | "expectEquals" | "check" | "director">;

/** The options that make a goal, as typed. */
export const goalFlags = "--goal, --expect, --expect-equals, --check and --director";

/** Whether any of the options is given. */
export function hasGoalOptions({ goal, expect, expectEquals, check, director }: GoalOptions): boolean {
  return [goal, expect, expectEquals, check, director].some((option) => option !== undefined);
}

/**
 * The goal of the options, if any is given. `--goal` is a text, a file that contains it, or a goal file, whose name
 * ends in `.toml`; by default, the prompt is the text. The other options add criteria.
 */
export async function readGoal(
  options: GoalOptions,
  prompt: string,
  cwd: string,
): Promise<Goal | GoalProblems | undefined> {
  if (!hasGoalOptions(options)) return undefined;
  const problems = emptyOptions(options);
  const read = options.goal === undefined ? { text: prompt } : await goalFrom(options.goal, cwd);
  if ("problems" in read) return { problems: [...problems, ...read.problems] };
  const isEmpty = read.text.trim() === "";
  if (isEmpty || problems.length > 0)
    return { problems: [...problems, ...(isEmpty ? ["--goal: the goal must not be empty"] : [])] };
  const criteria = [...(read.criteria ?? []), ...addedCriteria(options)];
  return { ...read, ...(criteria.length === 0 ? {} : { criteria }) };
}

function emptyOptions({ expect = [], expectEquals, check = [] }: GoalOptions): readonly string[] {
  return [
    ...(expect.some((text) => text.trim() === "") ? ["--expect: the text must not be empty"] : []),
    ...(expectEquals?.trim() === "" ? ["--expect-equals: the text must not be empty"] : []),
    ...(check.some((command) => command.trim() === "") ? ["--check: the command must not be empty"] : []),
  ];
}

function addedCriteria({ expect = [], expectEquals, check = [] }: GoalOptions): readonly Criterion[] {
  return [
    ...expect.map((text) => ({ type: "OutputContains", text }) as const),
    ...(expectEquals === undefined ? [] : [{ type: "OutputEquals", text: expectEquals } as const]),
    ...check.map((command) => ({ type: "Command", command }) as const),
  ];
}

/** A single word with an ending is a name: with a typo in it, it must not become the text of the goal. */
const looksLikeFile = /^\S+\.[a-z]{2,5}$/i;

async function goalFrom(goal: string, cwd: string): Promise<Goal | GoalProblems> {
  if (goal.length > MAX_FILE_NAME_LENGTH || goal.includes("\n") || goal.includes("\0")) return { text: goal };
  const path = resolve(cwd, goal);
  const stats = await stat(path).catch(() => undefined);
  if (goal.endsWith(".toml") && (stats !== undefined || !/\s/.test(goal)))
    return readGoalFile(path, shownPath(path, cwd));
  if (stats?.isDirectory() === true && !/\s/.test(goal)) return { problems: [`--goal ${goal}: this is a folder`] };
  if (stats === undefined && looksLikeFile.test(goal)) return { problems: [`--goal ${goal}: there is no such file`] };
  if (stats?.isFile() !== true) return { text: goal };
  const text = await readTextFile(path, `--goal ${goal}`);
  return typeof text === "string" ? { text } : { problems: [text.problem] };
}
