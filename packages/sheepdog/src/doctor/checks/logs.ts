import { constants, type Dirent } from "node:fs";
import { access, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { resolveLogFolder } from "../../compose/log-folder.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { sizeText } from "../../render/terminal/size-text.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

const warnBytes = 1_000_000_000;
const MAX_FILES = 20_000;

/** Checks whether run logs can be written, and measures them. */
export const logsCheck: Check = {
  name: "logs",
  async run(context) {
    const config = await context.config();
    if (config.agent.log.level === 0) return [ok("Run logs are off (agent.log.level = 0).")];
    const dir = resolveLogFolder(config, context.home);
    const stats = await stat(dir).catch(() => undefined);
    if (stats === undefined) return [ok(`There are no run logs yet; they will be in ${dir}.`)];
    if (!stats.isDirectory()) return [fail(`${dir} is not a folder.`, "Move it away, or set agent.log.dir.")];
    const isWritable = await access(dir, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return [fail(`${dir} is not writable.`, `Take ownership: chown -R "$USER" ${dir}`)];
    const size = await sizeOf(dir);
    const amount = `${size.isComplete ? "" : "more than "}${sizeText(size.bytes)}`;
    const sentence = `${dir} contains ${amount} in ${counted(size.files, "file")}.`;
    const isLarge = size.bytes > warnBytes || !size.isComplete;
    return [isLarge ? warn(sentence, "To remove old runs: sheepdog prune --older-than 30d") : ok(sentence)];
  },
};

interface Size {
  readonly bytes: number;
  readonly files: number;
  /** False if there are too many files to measure all of them. */
  readonly isComplete: boolean;
}

async function sizeOf(dir: string): Promise<Size> {
  let bytes = 0;
  let files = 0;
  for await (const file of filesBelow(dir)) {
    if (files === MAX_FILES) return { bytes, files, isComplete: false };
    files += 1;
    bytes += (await stat(file).catch(() => undefined))?.size ?? 0; // removed meanwhile
  }
  return { bytes, files, isComplete: true };
}

async function* filesBelow(dir: string): AsyncGenerator<string> {
  for await (const entry of await opendir(dir)) yield* filesOf(dir, entry);
}

async function* filesOf(dir: string, entry: Dirent): AsyncGenerator<string> {
  const path = join(dir, entry.name);
  if (entry.isDirectory()) yield* filesBelow(path);
  else if (entry.isFile()) yield path;
}
