import { z } from "zod";
import { keyNotes, type ProjectReach } from "./config-key.ts";
import { goalSchema } from "./goal-schema.ts";
import { configSchema } from "./schema.ts";
import { type TableRules, tableRules } from "./table-rules.ts";

/** Starts the last part of a description. */
const intro = "In an untrusted project file:";

const reachText = {
  lower: "only a lower number",
  "lower-limit": "only a lower number, or any limit if there is none",
  true: "only `true`",
  false: "only `false`",
  "longer-list": "may only add entries",
  "stricter-rules": "may only add rules that ask or deny",
  deny: 'only `"deny"`',
  free: "anything",
  nothing: "not at all",
} as const satisfies Record<ProjectReach, string>;

/** The JSON schema of a configuration file, for editors. */
export function configJsonSchema(): unknown {
  const schema = z.toJSONSchema(configSchema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const reach = keyNotes.get(zodSchema)?.reach;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (reach !== undefined && jsonSchema.description !== undefined)
        jsonSchema.description = `${jsonSchema.description} ${intro} ${reachText[reach]}.`;
    },
  });
  return { ...schema, title: "Sheepdog's configuration (sheepdog.toml, config.toml)" };
}

/** The JSON schema of a goal file, for editors. */
export function goalJsonSchema(): unknown {
  const schema = z.toJSONSchema(goalSchema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const rules = zodSchema instanceof z.ZodType ? tableRules.get(zodSchema) : undefined;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (rules !== undefined) Object.assign(jsonSchema, rulesJsonSchema(rules));
    },
  });
  return { ...schema, title: "A goal of Sheepdog (sheepdog run --goal goal.toml)" };
}

function rulesJsonSchema({ oneOf, atMostOneOf = [], onlyWith = {} }: TableRules): object {
  const each = (group: readonly string[]) => group.map((key) => ({ required: [key] }));
  return {
    allOf: [
      ...oneOf.map((group) => ({ oneOf: each(group) })),
      ...atMostOneOf.map((group) => ({ oneOf: [{ not: { anyOf: each(group) } }, ...each(group)] })),
    ],
    dependentRequired: Object.fromEntries(Object.entries(onlyWith).map(([key, other]) => [key, [other]])),
  };
}
