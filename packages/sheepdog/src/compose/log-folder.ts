import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";

/** Where run logs are: as configured, from Sheepdog's own folder where that is not absolute, else in there. */
export function resolveLogFolder(config: Pick<Config, "agent">, home: Home): string {
  const { dir } = config.agent.log;
  if (dir === undefined || dir.trim() === "") return home.logDir;
  return resolve(home.dir, dir.startsWith("~/") ? join(homedir(), dir.slice(2)) : dir);
}
