import { isRecord } from "../protocol/json.ts";
import { escapeTags } from "../protocol/outside-text.ts";
import { plainText } from "../tools/plain-text.ts";
import { mcpLimits } from "./limits.ts";
import { isArgumentName } from "./tool-definition.ts";
import { validSchema } from "./valid-schema.ts";

/** A description as the model reads it: escaped, shortened, and marked as the words of the server. */
export function modelDescription(server: string, description: string): string {
  const text = escapeTags(plainText(description)).trim();
  const { descriptionChars } = mcpLimits;
  const shown = text.length > descriptionChars ? `${text.slice(0, descriptionChars)} …` : text;
  return `[Tool of the MCP server "${server}", in its own words] ${shown || "no description"}`;
}

/** A schema as the model reads it: an object without tags in its texts and names, and without what providers refuse. */
export function modelSchema(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const escaped = escapeDeep(schema) as Record<string, unknown>; // an object, as it was given
  const { $schema: _, $id: __, anyOf, oneOf, allOf, enum: ___, not: ____, ...rest } = validSchema(escaped);
  const ways = [anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? each : []));
  const properties = Object.fromEntries([...ways.toReversed(), rest].flatMap(argumentsOf));
  return { ...rest, type: "object", properties };
}

/** Providers refuse alternatives at the top of a schema. Their arguments are offered; the server checks the rest. */
function argumentsOf(schema: unknown): readonly (readonly [name: string, schema: unknown])[] {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? Object.entries(properties).filter(([name]) => isArgumentName(name)) : [];
}

function escapeDeep(value: unknown): unknown {
  if (typeof value === "string") return escapeTags(plainText(value));
  if (Array.isArray(value)) return value.map(escapeDeep);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [escapeTags(plainText(name)), escapeDeep(inner)]),
  );
}
