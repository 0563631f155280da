import type { Criterion } from "./goal.ts";

/** A criterion as a sentence for the model, the user and the events. */
export function criterionText(criterion: Criterion): string {
  switch (criterion.type) {
    case "OutputContains":
      return `the answer contains ${JSON.stringify(criterion.text)}${criterion.ignoreCase ? ", in any case" : ""}`;
    case "OutputEquals":
      return `the answer is exactly ${JSON.stringify(criterion.text)}`;
    case "Command":
      return `the command succeeds: ${criterion.command}`;
    case "Custom":
      return `the check "${criterion.name}" passes`;
    case "LlmJudge":
      return criterion.text;
    default:
      return criterion satisfies never;
  }
}
