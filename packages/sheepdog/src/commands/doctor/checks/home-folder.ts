import { constants } from "node:fs";
import { access, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Whether Sheepdog's own folder can be written to, and is nobody else's business. */
export const homeFolderCheck: Check = {
  name: "home folder",
  async run({ home: { dir } }) {
    const found = await stat(dir).catch(absent);
    if (found === undefined) return [await notThere(dir)];
    if (!found.isDirectory())
      return [fail(`${dir} is no folder.`, "Move it away, or name another folder: SHEEPDOG_HOME=…")];
    if (!(await isWritable(dir)))
      return [fail(`${dir} cannot be written to.`, `Make it yours: chown -R "$USER" ${dir} && chmod 700 ${dir}`)];
    const open = await openToOthers(dir, found.mode);
    return open.length === 0 ? [ok(`${dir} can be written to, and only you can read it.`)] : open;
  },
};

async function notThere(dir: string): Promise<Finding> {
  const parent = await nearest(dirname(dir));
  return (await isWritable(parent))
    ? ok(`${dir} is not there yet: it is made when something is to be kept.`)
    : fail(
        `${dir} is not there and cannot be made: ${parent} cannot be written to.`,
        "Name another folder: SHEEPDOG_HOME=…",
      );
}

async function nearest(dir: string): Promise<string> {
  return (await stat(dir).catch(absent)) === undefined && dirname(dir) !== dir ? nearest(dirname(dir)) : dir;
}

async function openToOthers(dir: string, mode: number): Promise<readonly Finding[]> {
  const others = 0o077;
  if ((mode & others) !== 0) return [warn(`Others can look into ${dir}.`, `chmod 700 ${dir}`)];
  const files: string[] = [];
  for (const name of await readdir(dir)) {
    const file = await lstat(join(dir, name)).catch(absent);
    if (file?.isFile() && (file.mode & others) !== 0) files.push(join(dir, name));
  }
  return files.length === 0
    ? []
    : [
        warn(
          `The modes of ${files.join(", ")} allow others to read them, should the folder ever be opened.`,
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

/** What is not there is no error; anything else is. */
function absent(error: unknown): undefined {
  if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
    return undefined;
  throw error;
}
