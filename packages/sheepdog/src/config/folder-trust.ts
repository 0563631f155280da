import { join } from "node:path";
import type { Home } from "../home.ts";
import { projectFileName } from "./load-config.ts";
import { readConfigFile } from "./read-config-file.ts";
import { contentHash, readTrusted, trustedPath } from "./trust.ts";

/** Whether the user has trusted the project file of a folder with exactly its present content. */
export async function isFolderTrusted(home: Home, folder: string): Promise<boolean> {
  const file = join(folder, projectFileName);
  const read = await readConfigFile(file);
  return read.ok && (await readTrusted(home)).get(await trustedPath(file)) === contentHash(read.bytes);
}
