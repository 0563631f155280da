import type { StandardSchemaV1 } from "@standard-schema/spec";
import { argumentNames } from "./json-schema.ts";
import { printableName } from "./printable-name.ts";
import { thrownText } from "./to-text.ts";
import type { Tool } from "./tool.ts";

/** The arguments as the schema returns them, or a sentence for the model about what is wrong with them. */
export type ValidatedInput =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problem: string };

const maxIssues = 8;

/** Validates arguments by the tool's schema. A schema that throws counts as invalid arguments. */
export async function validateInput(tool: Tool, input: unknown): Promise<ValidatedInput> {
  try {
    const result = await tool.input["~standard"].validate(input);
    if (result.issues === undefined) return { ok: true, input: result.value };
    return { ok: false, problem: invalidArguments(tool, issueLines(result.issues).join("; ")) };
  } catch (error) {
    return { ok: false, problem: invalidArguments(tool, thrownText(error)) };
  }
}

/** Tells the model why its arguments are not valid, and which arguments the tool takes. */
export function invalidArguments(tool: Tool, why: string): string {
  const names = argumentNames(tool);
  const usage = names.length > 0 ? ` ${tool.name} takes: ${names.join(", ")}.` : "";
  return `Not run: the arguments of ${tool.name} are not valid. ${why.slice(0, 2_000)}.${usage}`;
}

function issueLines(issues: readonly StandardSchemaV1.Issue[]): string[] {
  const lines = issues.slice(0, maxIssues).map(({ path, message }) => {
    const field = (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return printableName(field === "" ? message : `${field}: ${message}`);
  });
  return issues.length > maxIssues ? [...lines, `and ${issues.length - maxIssues} more`] : lines;
}
