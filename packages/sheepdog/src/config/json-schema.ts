import { z } from "zod";
import { keyNotes, type Reach } from "./key.ts";
import { configSchema } from "./schema.ts";

/** What begins the last part of a description. */
const intro = "In an untrusted project file:";

const reaches = {
  lower: "only a lower number",
  "lower-limit": "only a lower number, or one where there is none",
  true: "only `true`",
  false: "only `false`",
  "longer-list": "only more of them",
  free: "anything",
  nothing: "not at all",
} as const satisfies Record<Reach, string>;

/** The JSON schema of a configuration file, for editors. */
export function configJsonSchema(): unknown {
  const schema = z.toJSONSchema(configSchema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const reach = keyNotes.get(zodSchema)?.reach;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (reach !== undefined && jsonSchema.description !== undefined)
        jsonSchema.description = `${jsonSchema.description} ${intro} ${reaches[reach]}.`;
    },
  });
  return { ...schema, title: "Sheepdog's configuration (sheepdog.toml, config.toml)" };
}
