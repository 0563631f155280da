import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";

/** The folder of the run logs. A relative path in the configuration is relative to Sheepdog's home folder. */
export function resolveLogFolder(config: Pick<Config, "agent">, home: Home): string {
  const { dir } = config.agent.log;
  if (dir === undefined || dir.trim() === "") return home.logDir;
  return resolve(home.dir, dir.startsWith("~/") ? join(homedir(), dir.slice(2)) : dir);
}
