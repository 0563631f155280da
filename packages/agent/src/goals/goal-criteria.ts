import type { Criterion, Goal } from "../protocol/goal.ts";

/** Throws a sentence for a goal that could never be judged. */
export function checkGoal(goal: Goal): void {
  if (typeof goal?.text !== "string" || goal.text.trim() === "")
    throw new TypeError("Expected a goal with a text that says what is to be achieved.");
}

/** Whether the output passes a criterion. */
export function isMet(criterion: Criterion, output: string): boolean {
  switch (criterion.type) {
    case "OutputContains":
      return output.includes(criterion.text);
    case "OutputEquals":
      return output.trim() === criterion.text.trim();
    default:
      return true;
  }
}
