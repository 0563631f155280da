import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Says why a program cannot be started; undefined if it can. */
export async function findProgram(
  command: string,
  { cwd, path }: { readonly cwd: string; readonly path: string },
): Promise<string | undefined> {
  if (!(await isFolder(cwd))) return `The folder ${cwd} of the server does not exist.`;
  const candidates = command.includes("/")
    ? [resolve(cwd, command)]
    : path.split(":").map((folder) => join(folder, command));
  for (const candidate of candidates) if (await isExecutable(candidate)) return undefined;
  return command.includes("/")
    ? `There is no program ${command}, or it is not executable.`
    : `The program "${command}" was not found. Install it, or write its whole path.`;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
