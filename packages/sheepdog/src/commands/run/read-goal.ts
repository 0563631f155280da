import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Focus, Goal } from "@sheepdog/agent";
import { readTextFile, type Unreadable } from "./read-text.ts";

/** A name of a file is no longer; a goal may be. */
const LONGEST_NAME = 1_000;

/** The goal of a run, where it has one: by `--goal`, a text or a file that holds it, and what `--expect` wants of the answer. */
export async function readGoal(
  { goal, expect = [] }: { readonly goal?: string; readonly expect?: readonly string[] },
  prompt: string,
  cwd: string,
): Promise<Goal | { readonly problem: string } | undefined> {
  if (goal === undefined && expect.length === 0) return undefined;
  if (expect.some((text) => text === "")) return { problem: "--expect: it must not be empty" };
  const text = goal === undefined ? prompt : await textOf(goal, cwd);
  if (typeof text !== "string") return text;
  if (text.trim() === "") return { problem: "--goal: it must say what is to be achieved" };
  return {
    text,
    ...(expect.length === 0
      ? {}
      : { criteria: expect.map((each) => ({ type: "OutputContains", text: each }) as const) }),
  };
}

/** What the model is told of its goal from the beginning. */
export function focusOf({ text, criteria = [] }: Goal): Focus {
  return {
    goal: text,
    criteria: criteria.map(
      (each) => `the answer ${each.type === "OutputEquals" ? "is exactly" : "contains"} ${JSON.stringify(each.text)}`,
    ),
  };
}

async function textOf(goal: string, cwd: string): Promise<string | Unreadable> {
  if (goal.length > LONGEST_NAME || goal.includes("\n") || goal.includes("\0")) return goal;
  const path = resolve(cwd, goal);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile ? readTextFile(path, `--goal ${goal}`) : goal;
}
