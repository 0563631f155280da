import { constants } from "node:fs";
import { access, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Checks whether Sheepdog's home folder is writable and private. */
export const homeFolderCheck: Check = {
  name: "home folder",
  async run({ home: { dir } }) {
    const stats = await stat(dir).catch(absent);
    if (stats === undefined) return [await missingFolder(dir)];
    if (!stats.isDirectory())
      return [fail(`${dir} is not a folder.`, "Move it away, or set another folder: SHEEPDOG_HOME=…")];
    if (!(await isWritable(dir)))
      return [fail(`${dir} is not writable.`, `Take ownership: chown -R "$USER" ${dir} && chmod 700 ${dir}`)];
    const findings = await accessByOthers(dir, stats.mode);
    return findings.length === 0 ? [ok(`${dir} is writable, and only you can read it.`)] : findings;
  },
};

async function missingFolder(dir: string): Promise<Finding> {
  const parent = await nearestFolder(dirname(dir));
  return (await isWritable(parent))
    ? ok(`${dir} does not exist yet; the first run creates it.`)
    : fail(
        `${dir} does not exist and cannot be created: ${parent} is not writable.`,
        "Set another folder: SHEEPDOG_HOME=…",
      );
}

async function nearestFolder(dir: string): Promise<string> {
  return (await stat(dir).catch(absent)) === undefined && dirname(dir) !== dir ? nearestFolder(dirname(dir)) : dir;
}

async function accessByOthers(dir: string, mode: number): Promise<readonly Finding[]> {
  const others = 0o077;
  if ((mode & others) !== 0) return [warn(`Other users can read ${dir}.`, `chmod 700 ${dir}`)];
  const files: string[] = [];
  for (const name of await readdir(dir)) {
    const file = await lstat(join(dir, name)).catch(absent);
    if (file?.isFile() && (file.mode & others) !== 0) files.push(join(dir, name));
  }
  return files.length === 0
    ? []
    : [
        warn(
          `The modes of ${files.join(", ")} let other users read them if the folder becomes readable.`,
          `chmod 600 ${files.join(" ")}`,
        ),
      ];
}

async function isWritable(dir: string): Promise<boolean> {
  return access(dir, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Maps "does not exist" to undefined; rethrows every other error. */
function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
    return undefined;
  throw error;
}
