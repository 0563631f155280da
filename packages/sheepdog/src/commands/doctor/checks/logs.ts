import { constants, type Dirent } from "node:fs";
import { access, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { resolveLogFolder } from "../../../compose/log-folder.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { sizeText } from "../../../render/terminal/size-text.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

const large = 1_000_000_000;
const mostFiles = 20_000;

/** Whether run logs can be written, and how much there is of them. */
export const logsCheck: Check = {
  name: "logs",
  async run(world) {
    const config = await world.config();
    if (config.agent.log.level === 0) return [ok("No run logs are kept (agent.log.level = 0).")];
    const dir = resolveLogFolder(config, world.home);
    const found = await stat(dir).catch(() => undefined);
    if (found === undefined) return [ok(`There are none yet; they will be in ${dir}.`)];
    if (!found.isDirectory()) return [fail(`${dir} is no folder.`, "Move it away, or set agent.log.dir.")];
    const isWritable = await access(dir, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return [fail(`${dir} cannot be written to.`, `Make it yours: chown -R "$USER" ${dir}`)];
    const size = await sizeOf(dir);
    const said = `${dir} holds ${size.isAll ? "" : "more than "}${sizeText(size.bytes)} in ${counted(size.files, "file")}.`;
    return [
      size.bytes > large || !size.isAll ? warn(said, "sheepdog prune --older-than 30d removes old runs.") : ok(said),
    ];
  },
};

interface Size {
  readonly bytes: number;
  readonly files: number;
  readonly isAll: boolean;
}

async function sizeOf(dir: string): Promise<Size> {
  let [sum, files] = [0, 0];
  for await (const file of filesBelow(dir)) {
    if (files === mostFiles) return { bytes: sum, files, isAll: false };
    files += 1;
    sum += (await stat(file).catch(() => undefined))?.size ?? 0; // gone by now
  }
  return { bytes: sum, files, isAll: true };
}

async function* filesBelow(dir: string): AsyncGenerator<string> {
  for await (const entry of await opendir(dir)) yield* filesOf(dir, entry);
}

async function* filesOf(dir: string, entry: Dirent): AsyncGenerator<string> {
  const path = join(dir, entry.name);
  if (entry.isDirectory()) yield* filesBelow(path);
  else if (entry.isFile()) yield path;
}
