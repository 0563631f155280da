import type { StandardSchemaV1 } from "@standard-schema/spec";
import { callOut } from "../async/call-out.ts";
import { argumentNames } from "./json-schema.ts";
import { printableName } from "./printable-name.ts";
import { thrownText } from "./to-text.ts";
import type { Tool } from "./tool.ts";

/** Arguments as the tool wants them, or a sentence about what is wrong with them. */
export type ValidatedInput =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly problem: string };

const mostIssues = 8;

/** Checks arguments by the tool's schema. */
export function validateInput(tool: Tool, input: unknown): ValidatedInput | Promise<ValidatedInput> {
  try {
    const standard: Tool["input"]["~standard"] = Reflect.get(tool.input, "~standard"); // as in a call out
    const result = callOut(standard, "validate", input);
    return isPromise(result)
      ? Promise.resolve(result)
          .then((later) => read(tool, later))
          .catch((error: unknown) => thrown(tool, error))
      : read(tool, result);
  } catch (error) {
    return thrown(tool, error);
  }
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value;
}

function read(tool: Tool, result: StandardSchemaV1.Result<unknown>): ValidatedInput {
  if (result.issues === undefined) return { ok: true, input: result.value };
  return { ok: false, problem: invalidArguments(tool, issueLines(result.issues).join("; ")) };
}

function thrown(tool: Tool, error: unknown): ValidatedInput {
  return { ok: false, problem: invalidArguments(tool, thrownText(error)) };
}

/** What is said of arguments that do not fit. */
export function invalidArguments(tool: Tool, why: string): string {
  const names = argumentNames(tool);
  return `Not run: the arguments of ${tool.name} are not valid. ${why.slice(0, 2_000)}.${names.length > 0 ? ` ${tool.name} takes: ${names.join(", ")}.` : ""}`;
}

function issueLines(issues: readonly StandardSchemaV1.Issue[]): string[] {
  const lines = issues.slice(0, mostIssues).map(({ path, message }) => {
    const place = (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return printableName(place === "" ? message : `${place}: ${message}`);
  });
  return issues.length > mostIssues ? [...lines, `and ${issues.length - mostIssues} more`] : lines;
}
