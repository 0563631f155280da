import { configJsonSchema } from "../../config/json-schema.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";

/** Prints the JSON schema of the configuration file. */
export async function schemaCommand(io: Io): Promise<number> {
  await write(io.stdout, `${jsonText(configJsonSchema())}\n`);
  return exitCode.done;
}
