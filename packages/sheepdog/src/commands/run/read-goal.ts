import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Focus, Goal } from "@sheepdog/agent";
import { readTextFile, type TextProblem } from "./read-text.ts";

/** Characters. A longer `--goal` is a text, not the name of a file. */
const MAX_FILE_NAME_LENGTH = 1_000;

/** The options that make a goal. */
interface GoalOptions {
  readonly goal?: string;
  readonly expect?: readonly string[];
  readonly expectEquals?: string;
}

/** The goal from `--goal` (a text, or a file that contains it), `--expect` and `--expect-equals`, if any is given. */
export async function readGoal(
  { goal, expect = [], expectEquals }: GoalOptions,
  prompt: string,
  cwd: string,
): Promise<Goal | TextProblem | undefined> {
  if (goal === undefined && expect.length === 0 && expectEquals === undefined) return undefined;
  if (expect.some((text) => text === "")) return { problem: "--expect: the text must not be empty" };
  const text = goal === undefined ? prompt : await goalText(goal, cwd);
  if (typeof text !== "string") return text;
  if (text.trim() === "") return { problem: "--goal: the goal must not be empty" };
  if (expectEquals?.trim() === "") return { problem: "--expect-equals: the text must not be empty" };
  const criteria = [
    ...expect.map((each) => ({ type: "OutputContains", text: each }) as const),
    ...(expectEquals === undefined ? [] : [{ type: "OutputEquals", text: expectEquals } as const]),
  ];
  return { text, ...(criteria.length === 0 ? {} : { criteria }) };
}

/** The goal as the system prompt states it. */
export function goalFocus({ text, criteria = [] }: Goal): Focus {
  return {
    goal: text,
    criteria: criteria.map(
      (each) =>
        `the answer ${each.type === "OutputEquals" ? "is exactly" : "contains"} ${JSON.stringify("text" in each ? each.text : "")}`,
    ),
  };
}

async function goalText(goal: string, cwd: string): Promise<string | TextProblem> {
  if (goal.length > MAX_FILE_NAME_LENGTH || goal.includes("\n") || goal.includes("\0")) return goal;
  const path = resolve(cwd, goal);
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return isFile ? readTextFile(path, `--goal ${goal}`) : goal;
}
