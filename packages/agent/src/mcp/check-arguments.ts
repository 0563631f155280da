import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isRecord } from "../protocol/json.ts";
import type { JsonSchema } from "../tools/tool.ts";

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Checks that the required arguments are there and have about the right type. The server checks the rest: its schema is
 * not trusted enough to be executed here, since a pattern in it could take for ever to match.
 */
export function argumentsSchema({ required, properties }: JsonSchema): StandardSchemaV1<unknown, Arguments> {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const types = isRecord(properties) ? properties : {};
  return {
    "~standard": {
      version: 1,
      vendor: "sheepdog",
      validate(value) {
        if (!isRecord(value)) return { issues: [{ message: "The arguments are not an object" }] };
        const missing = names
          .filter((name) => value[name] === undefined)
          .map((name) => ({ message: "is required", path: [name] }));
        const wrong = Object.entries(value).flatMap(([name, given]) => {
          const expected = typeOf(Object.hasOwn(types, name) ? types[name] : undefined);
          return expected === undefined || given === undefined || isOfType(given, expected)
            ? []
            : [{ message: `must be ${expected}`, path: [name] }];
        });
        const issues = [...missing, ...wrong];
        return issues.length > 0 ? { issues } : { value };
      },
    },
  };
}

function typeOf(schema: unknown): string | undefined {
  return isRecord(schema) && typeof schema["type"] === "string" ? schema["type"] : undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
    case "integer":
      return typeof value === "number";
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return true;
  }
}
