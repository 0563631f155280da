import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Home } from "../home.ts";
import type { Edited } from "./edited.ts";

const firstLine = "// Written by `sheepdog attach`";

/** Whether a plugin file was written by Sheepdog, in this or an earlier version. */
export function isOurPlugin(text: string): boolean {
  return text.startsWith(firstLine);
}

/** The plugin for opencode's folder: a copy, so that opencode starts without complaint when Sheepdog is removed. */
export function readPlugin({ dir }: Pick<Home, "dir">): Edited {
  try {
    const file = createRequire(import.meta.url).resolve("@sheepdog/integrations/opencode");
    const home = `process.env.SHEEPDOG_HOME ||= ${JSON.stringify(dir)};`;
    return { ok: true, text: `${firstLine}\n${readFileSync(file, "utf8").trimEnd()}\n${home}\n` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `cannot be written: the plugin of this installation is missing (${reason})` };
  }
}
