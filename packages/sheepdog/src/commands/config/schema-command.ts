import { configJsonSchema, goalJsonSchema } from "../../config/json-schema.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";

/** Prints the JSON schema of the configuration file, or of a goal file. */
export async function schemaCommand(options: { readonly goal?: true }, io: Io): Promise<number> {
  await write(io.stdout, `${jsonText(options.goal === true ? goalJsonSchema() : configJsonSchema())}\n`);
  return exitCode.done;
}
