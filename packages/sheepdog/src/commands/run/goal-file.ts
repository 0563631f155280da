import type { CommandCheck, Constraint, ConstraintRule, Criterion, Goal } from "@sheepdog/agent";
import { sectionOf } from "../../config/config-shape.ts";
import { textLayer } from "../../config/file-layer.ts";
import { type ConstraintTable, type CriterionTable, type GoalTable, goalSchema } from "../../config/goal-schema.ts";
import { readConfigFile } from "../../config/read-config-file.ts";

/** All problems of a goal, each as a sentence. */
export interface GoalProblems {
  readonly problems: readonly string[];
}

const shape = sectionOf(goalSchema);

/** Reads a goal file. `name` is the name of the file in sentences. */
export async function readGoalFile(file: string, name: string): Promise<Goal | GoalProblems> {
  const read = await readConfigFile(file, "goal");
  if (!read.ok && read.isMissing) return { problems: [`${name}: there is no such file`] };
  if (!read.ok) return { problems: [`${name}:${read.at}: ${read.why}`] };
  const { settings, problems } = textLayer(read.text, { file, name, isProject: false, variables: "none", shape });
  if (problems.length > 0) return { problems };
  return goalOf(goalSchema.parse(Object.fromEntries(settings.map(({ path, value }) => [path[0], value]))));
}

function goalOf({ text, threshold, criteria = [], constraints = [] }: GoalTable): Goal {
  return {
    text,
    ...(threshold === undefined ? {} : { threshold }),
    ...(criteria.length === 0 ? {} : { criteria: criteria.map(criterionOf) }),
    ...(constraints.length === 0 ? {} : { constraints: constraints.map(constraintOf) }),
  };
}

function criterionOf(table: CriterionTable): Criterion {
  const { contains, equals, check, judged = "", ignore_case: ignoreCase, weight } = table;
  const weighted = weight === undefined ? {} : { weight };
  if (contains !== undefined) return { type: "OutputContains", text: contains, ...caseOption(ignoreCase), ...weighted };
  if (equals !== undefined) return { type: "OutputEquals", text: equals, ...weighted };
  if (check !== undefined) return { ...commandCheck(check, table), ...weighted };
  return { type: "LlmJudge", text: judged, ...weighted };
}

function constraintOf(table: ConstraintTable): Constraint {
  const { must, should = "" } = table;
  const rule = ruleOf(table);
  return {
    ...(must === undefined ? { level: "should", text: should } : { level: "must", text: must }),
    ...(rule === undefined ? {} : { rule }),
  };
}

function ruleOf(table: ConstraintTable): ConstraintRule | undefined {
  if (table.only_files !== undefined) return { type: "OnlyFiles", files: table.only_files };
  if (table.forbidden_tools !== undefined) return { type: "ForbiddenTools", tools: table.forbidden_tools };
  if (table.max_turns !== undefined) return { type: "MaxTurns", turns: table.max_turns };
  if (table.max_seconds !== undefined) return { type: "MaxSeconds", seconds: table.max_seconds };
  if (table.max_cost_cents !== undefined) return { type: "MaxCost", cents: table.max_cost_cents };
  if (table.output_excludes !== undefined)
    return { type: "OutputExcludes", text: table.output_excludes, ...caseOption(table.ignore_case) };
  return table.check === undefined ? undefined : commandCheck(table.check, table);
}

function commandCheck(command: string, { timeout_secs: timeoutSecs }: CriterionTable | ConstraintTable): CommandCheck {
  return { type: "Command", command, ...(timeoutSecs === undefined ? {} : { timeoutSecs }) };
}

function caseOption(ignoreCase: boolean | undefined): { readonly ignoreCase?: boolean } {
  return ignoreCase === undefined ? {} : { ignoreCase };
}
