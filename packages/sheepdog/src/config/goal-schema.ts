import { z } from "zod";
import { MAX_CENTS, MAX_SECS } from "./schema.ts";
import { tableRules } from "./table-rules.ts";

const text = z.string().min(1).regex(/\S/);
const texts = z.array(text).min(1);
const timeoutSecs = z.int().min(1).max(MAX_SECS);

const criterion = z.strictObject({
  contains: text.optional().describe("The answer must contain this text."),
  equals: text.optional().describe("The answer must be this text. Spaces at its ends do not count."),
  check: text.optional().describe("A shell command in the workspace that must succeed."),
  judged: text.optional().describe("The model decides whether this sentence is true."),
  ignore_case: z.boolean().optional().describe("Only with `contains`: whether capital letters do not matter."),
  timeout_secs: timeoutSecs.optional().describe("Only with `check`: the maximum time of the command, in seconds."),
  weight: z.number().gt(0).max(1_000_000).optional().describe("How much the criterion counts. Default: 1."),
});
tableRules.add(criterion, {
  oneOf: [["contains", "equals", "check", "judged"]],
  onlyWith: { ignore_case: "contains", timeout_secs: "check" },
});

const constraint = z.strictObject({
  must: text.optional().describe("What the run must respect. Otherwise the goal is not accepted."),
  should: text.optional().describe("What the run should respect. Otherwise it is reported."),
  only_files: texts.optional().describe("Tools may only write files that match, such as `src/**`."),
  forbidden_tools: texts.optional().describe("Tools that may not be used, with `*` for any characters."),
  max_turns: z.int().min(1).optional().describe("The maximum number of turns."),
  max_seconds: z.number().gt(0).max(MAX_SECS).optional().describe("The maximum duration, in seconds."),
  max_cost_cents: z.number().gt(0).max(MAX_CENTS).optional().describe("The maximum cost with subagents, in cents."),
  output_excludes: text.optional().describe("The answer must not contain this text."),
  check: text.optional().describe("A shell command in the workspace that must succeed."),
  ignore_case: z.boolean().optional().describe("Only with `output_excludes`: whether capital letters do not matter."),
  timeout_secs: timeoutSecs.optional().describe("Only with `check`: the maximum time of the command, in seconds."),
});
tableRules.add(constraint, {
  oneOf: [["must", "should"]],
  atMostOneOf: [
    ["only_files", "forbidden_tools", "max_turns", "max_seconds", "max_cost_cents", "output_excludes", "check"],
  ],
  onlyWith: { ignore_case: "output_excludes", timeout_secs: "check" },
});

/** The keys of a goal file. */
export const goalSchema = z.strictObject({
  text: text.describe("What is to be achieved."),
  threshold: z.number().gt(0).max(1).optional().describe("The share of the criteria that must be met. Default: 1."),
  criteria: z.array(criterion).optional().describe("What counts as success. Without criteria, the model judges."),
  constraints: z
    .array(constraint)
    .optional()
    .describe("What the run has to respect. Without a rule, the model judges."),
});

/** The content of a goal file. */
export type GoalTable = z.output<typeof goalSchema>;
export type CriterionTable = z.output<typeof criterion>;
export type ConstraintTable = z.output<typeof constraint>;
