import { closestName, toolKinds } from "@sheepdog/guardian";
import { isRecord } from "../protocol/json.ts";
import { printableName } from "./printable-name.ts";

const validName = /^[A-Za-z0-9_-]{1,64}$/;
const origins: readonly unknown[] = [undefined, "builtin", "external"];

/** Throws a sentence when a tool is defined wrongly: definitions also come from JavaScript, without type checks. */
export function checkTool(tool: unknown): void {
  if (!isRecord(tool))
    throw new Error(`A tool must be an object with "name", "description", "input" and "run", got ${shown(tool)}.`);
  const { name, description, kind, origin, run } = tool;
  if (typeof name !== "string" || !validName.test(name))
    throw new Error(`A tool's name must have 1 to 64 letters, digits, "_" or "-", got ${shown(name)}.`);
  if (typeof description !== "string")
    throw new Error(`The tool "${name}" needs a "description" that tells the model what it does.`);
  if (typeof run !== "function") throw new Error(`The tool "${name}" needs a function "run", got ${shown(run)}.`);
  if (!hasSchema(tool))
    throw new Error(
      `The tool "${name}" needs a schema of its arguments: "input", such as z.object({ path: z.string() }).`,
    );
  if (kind !== undefined && !toolKinds.some((valid) => valid === kind))
    throw new Error(
      `The tool "${name}" has the kind ${shown(kind)}${suggestion(kind)}: a kind must be one of ` +
        `${toolKinds.join(", ")}, or left out.`,
    );
  if (!origins.includes(origin))
    throw new Error(`The tool "${name}" has the origin ${shown(origin)}: it must be builtin, external, or left out.`);
}

function hasSchema({ input }: Readonly<Record<string, unknown>>): boolean {
  // arktype's schemas are functions
  return (isRecord(input) || typeof input === "function") && "~standard" in input;
}

function suggestion(kind: unknown): string {
  const near = typeof kind === "string" ? closestName(kind, toolKinds) : undefined;
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${printableName(value.slice(0, 80))}"` : value === null ? "null" : typeof value;
}
