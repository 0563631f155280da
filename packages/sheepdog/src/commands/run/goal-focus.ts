import type { Constraint, ConstraintRule, Criterion, Focus, Goal } from "@sheepdog/agent";

/** The goal as the system prompt states it. */
export function goalFocus({ text, criteria = [], constraints = [] }: Goal): Focus {
  const lines = (level: Constraint["level"]) =>
    constraints.filter((constraint) => constraint.level === level).map(constraintLine);
  return { goal: text, must: lines("must"), should: lines("should"), criteria: criteria.map(criterionLine) };
}

function criterionLine(criterion: Criterion): string {
  switch (criterion.type) {
    case "OutputContains":
      return `the answer contains ${quoted(criterion)}`;
    case "OutputEquals":
      return `the answer is exactly ${JSON.stringify(criterion.text)}`;
    case "Command":
      return `the command \`${criterion.command}\` succeeds`;
    case "Custom":
      return `the check ${JSON.stringify(criterion.name)} passes`;
    case "LlmJudge":
      return criterion.text;
    default:
      return criterion satisfies never;
  }
}

function constraintLine({ text, rule }: Constraint): string {
  return rule === undefined ? text : `${text} (Checked: ${ruleLine(rule)}.)`;
}

function ruleLine(rule: ConstraintRule): string {
  switch (rule.type) {
    case "OutputExcludes":
      return `the answer does not contain ${quoted(rule)}`;
    case "Command":
      return `the command \`${rule.command}\` succeeds`;
    case "Custom":
      return `the check ${JSON.stringify(rule.name)} passes`;
    case "MaxTurns":
      return `at most ${rule.turns} turns`;
    case "MaxSeconds":
      return `at most ${rule.seconds} seconds`;
    case "MaxCost":
      return `costs at most ${rule.cents} cents`;
    case "ForbiddenTools":
      return `no use of the tools ${rule.tools.join(", ")}`;
    case "OnlyFiles":
      return `only these files are written: ${rule.files.join(", ")}`;
    default:
      return rule satisfies never;
  }
}

function quoted({ text, ignoreCase }: { readonly text: string; readonly ignoreCase?: boolean }): string {
  return `${JSON.stringify(text)}${ignoreCase === true ? ", in capital or small letters" : ""}`;
}
