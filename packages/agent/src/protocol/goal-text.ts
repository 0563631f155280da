import type { Constraint, ConstraintRule, Criterion } from "./goal.ts";

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

/** A constraint as a sentence, with the rule that decides about it. */
export function constraintText({ text, rule }: Constraint): string {
  return rule === undefined ? text : `${text} (${ruleText(rule)})`;
}

function ruleText(rule: ConstraintRule): string {
  switch (rule.type) {
    case "OutputExcludes":
      return `the answer does not contain ${JSON.stringify(rule.text)}`;
    case "Command":
    case "Custom":
      return criterionText(rule);
    case "MaxTurns":
      return `at most ${rule.turns} turns`;
    case "MaxSeconds":
      return `at most ${rule.seconds} seconds`;
    case "MaxCost":
      return `at most ${rule.cents} cents`;
    case "ForbiddenTools":
      return `none of these tools is used: ${rule.tools.join(", ")}`;
    case "OnlyFiles":
      return `only these files are written: ${rule.files.join(", ")}`;
    default:
      return rule satisfies never;
  }
}
