import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HookAgent } from "@sheepdog/integrations/hooks";
import { editFile } from "../config/edit-file.ts";
import { type Home, resolveHome } from "../home.ts";
import { packageRoot } from "../package-root.ts";
import type { Environment } from "./environment.ts";

/** The program and the file that start Sheepdog. */
export interface Installation {
  readonly node: string;
  readonly bin: string;
}

/** The installation that is running. */
export function thisInstallation(): Installation {
  return { node: process.execPath, bin: fileURLToPath(new URL("bin/sheepdog.js", packageRoot)) };
}

/** While this file exists, hooks of the agent only record what they would have done. */
export function observeMark({ attachDir }: Pick<Home, "attachDir">, agent: HookAgent): string {
  return join(attachDir, `${agent}.observe`);
}

/** Set by `sheepdog watch --observe` for the agent that it starts. */
export const observeVariable = "SHEEPDOG_OBSERVE";

/** The script that hooks start. If Sheepdog or Node is gone, the agent continues as if there were no hook. */
export function hookScriptText(home: Home, { node, bin }: Installation, env: Environment): string {
  const isUsualHome = home.dir === resolveHome({ ...env, SHEEPDOG_HOME: undefined }).dir;
  return [
    "#!/bin/sh",
    "# Written by `sheepdog attach`: starts Sheepdog for hooks of coding agents. Without it, the agent just continues.",
    `node=${quoted(node)}`,
    `sheepdog=${quoted(bin)}`,
    ...(isUsualHome ? [] : [`export SHEEPDOG_HOME=${quoted(home.dir)}`]),
    '[ -x "$node" ] || node=$(command -v node) || exit 0',
    '[ -f "$sheepdog" ] || exit 0',
    'if [ "$1" = status-line ]; then exec "$node" "$sheepdog" status-line; fi',
    `observe=${quoted(`${home.attachDir}/`)}"$1.observe"`,
    `if [ -n "$${observeVariable}" ] || [ -e "$observe" ]; then set -- "$1" --observe; fi`,
    'exec "$node" "$sheepdog" hook "$@"',
    "",
  ].join("\n");
}

/** Writes the script unless it is there already. */
export async function writeHookScript(home: Home, env: Environment): Promise<void> {
  const text = hookScriptText(home, thisInstallation(), env);
  await editFile(
    home.hookScript,
    (content) => (Buffer.from(content ?? "").toString() === text ? undefined : text),
    0o700,
  );
  await chmod(home.hookScript, 0o700);
}

/** For sh, which has no `$'…'`. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
