import { exitCode } from "../exit-code.ts";
import { type Io, write } from "../io.ts";
import { jsonText } from "../terminal/json-text.ts";
import { configJsonSchema } from "./json-schema.ts";

/** Prints the JSON schema. */
export async function schemaCommand(io: Io): Promise<number> {
  await write(io.stdout, `${jsonText(configJsonSchema())}\n`);
  return exitCode.done;
}
