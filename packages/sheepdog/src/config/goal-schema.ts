import { z } from "zod";
import { tableRules } from "./table-rules.ts";

/** The longest time a timer can wait. */
const MAX_SECS = 2_147_483;

/** More cents could not be counted exactly in nano-dollars. */
const MAX_CENTS = 900_000_000;

const sentence = z.string().min(1).regex(/\S/);
const part = z.string().min(1);
const timeoutSecs = z.int().min(1).max(MAX_SECS);

const criterion = z.strictObject({
  contains: part.optional().describe("The answer must contain this text."),
  equals: sentence.optional().describe("The answer must be this text. Spaces at its ends do not count."),
  check: sentence.optional().describe("A shell command in the workspace that must succeed."),
  judged: sentence.optional().describe("The model decides whether this sentence is true."),
  ignore_case: z.boolean().optional().describe("Only with `contains`: whether capital letters do not matter."),
  timeout_secs: timeoutSecs.optional().describe("Only with `check`: the maximum time of the command, in seconds."),
  weight: z.number().gt(0).max(1_000_000).optional().describe("How much the criterion counts. Default: 1."),
});
tableRules.add(criterion, {
  oneOf: [["contains", "equals", "check", "judged"]],
  onlyWith: { ignore_case: "contains", timeout_secs: "check" },
});

const constraint = z.strictObject({
  must: sentence.optional().describe("What the run must respect. Otherwise the goal is not accepted."),
  should: sentence.optional().describe("What the run should respect. Otherwise it is reported."),
  only_files: z.array(part).optional().describe("Tools may only write files that match, such as `src/**`."),
  forbidden_tools: z.array(part).optional().describe("Tools that may not be used, with `*` for any characters."),
  max_turns: z.int().min(1).optional().describe("The maximum number of turns."),
  max_seconds: z.number().gt(0).max(MAX_SECS).optional().describe("The maximum duration, in seconds."),
  max_cost_cents: z.number().gt(0).max(MAX_CENTS).optional().describe("The maximum cost with subagents, in cents."),
  output_excludes: part.optional().describe("The answer must not contain this text."),
  check: sentence.optional().describe("A shell command in the workspace that must succeed."),
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
  text: sentence.describe("What is to be achieved."),
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
