import { z } from "zod";
import type { Plan } from "../protocol/plan.ts";

const name = z
  .string()
  .regex(/^[\w-]{1,64}$/, "1 to 64 letters, digits, _ or -")
  .refine((text) => text !== "__proto__", "another name");
const names = z.array(name).max(20);
const text = z.string().trim().min(1).max(2_000);

const node = z.strictObject({
  id: name.describe("A short name, unique in the plan."),
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe("The whole task. The run sees neither this conversation nor the other nodes, only its inputs."),
  inputs: names.optional().describe("Names of outputs of earlier nodes that it reads."),
  outputs: names.min(1).optional().describe("Names of its outputs. Default: one, named like the node: its answer."),
  tools: z.array(z.string().min(1).max(64)).max(100).optional().describe("The only tools it may use. Default: all."),
  goal: z
    .strictObject({
      text: text.describe("What has to be true at the end. A judge reads it, and lets the run try again."),
      contains: z.array(text).max(10).optional().describe("Texts that the answer has to contain."),
    })
    .optional(),
  model: z.string().min(1).max(200).optional().describe("Another model, if there is a choice."),
  maxTurns: z.int().min(1).max(200).optional(),
});

const comparison = (key: "equals" | "notEquals" | "contains") =>
  z.strictObject({ output: name, [key]: z.string().max(2_000) });

const edge = z.strictObject({
  from: name,
  to: name,
  when: z
    .union([
      z.enum(["success", "failure", "always"]),
      comparison("equals"),
      comparison("notEquals"),
      comparison("contains"),
    ])
    .optional()
    .describe("How `from` has to end, or what its output has to be. Default: success."),
});

const planInput = z.strictObject({
  diagnosis: z
    .string()
    .trim()
    .max(4_000)
    .optional()
    .describe("When a plan failed before: why it failed, and what this plan does differently."),
  nodes: z.array(node).min(1),
  edges: z.array(edge).optional(),
});

/** The JSON schema of a plan, for the model. */
export const planJsonSchema = z.toJSONSchema(planInput) as Readonly<Record<string, unknown>>; // a schema is an object

/** A plan as the model wrote it, or what is wrong with its form. */
export type ReadPlan =
  | { readonly ok: true; readonly plan: Plan; readonly diagnosis: string | undefined }
  | { readonly ok: false; readonly problems: readonly string[] };

const MAX_PROBLEMS = 10;

/** Reads the arguments of a call. */
export function readPlan(input: unknown): ReadPlan {
  const read = planInput.safeParse(input);
  if (read.success) {
    const { diagnosis, nodes, edges = [] } = read.data;
    const plan = { nodes, edges } as Plan; // by the schema
    return { ok: true, plan, diagnosis: diagnosis === "" ? undefined : diagnosis };
  }
  const { issues } = read.error;
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${path.join(".") || "plan"}: ${message}.`);
  const hidden = issues.length - problems.length;
  return { ok: false, problems: hidden === 0 ? problems : [...problems, `and ${hidden} more problems`] };
}
