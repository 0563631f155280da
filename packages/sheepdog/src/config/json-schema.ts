import { z } from "zod";
import { keyNotes, type ProjectReach } from "./config-key.ts";
import { configSchema } from "./schema.ts";

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
