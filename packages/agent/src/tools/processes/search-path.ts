import { isAbsolute, join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";

/**
 * The folders in which a command finds programs by name. Those of the workspace come last: a file of the repository
 * must not replace `ls`. An active virtual environment stays in front, so that `python` is the project's.
 */
export function searchPath(
  environment: NodeJS.ProcessEnv,
  workspace: string,
  isWithoutWorkspace: boolean,
): readonly string[] {
  const folders = (environment["PATH"] || "/usr/local/bin:/usr/bin:/bin").split(":").filter(isAbsolute); // not "."
  const isOfWorkspace = (folder: string) => isInside(workspace, folder) && !isTooWide(workspace, environment, folder);
  const outside = folders.filter((folder) => !isOfWorkspace(folder));
  if (isWithoutWorkspace) return outside;
  const active = [environment["VIRTUAL_ENV"], environment["CONDA_PREFIX"]];
  const isActive = (folder: string) => active.some((root) => root !== undefined && folder === join(root, "bin"));
  const inside = folders.filter(isOfWorkspace);
  return [...inside.filter(isActive), ...outside, ...inside.filter((folder) => !isActive(folder))];
}

/** A workspace that holds the home folder holds the user's programs too: only packages of a project count then. */
function isTooWide(workspace: string, environment: NodeJS.ProcessEnv, folder: string): boolean {
  const home = environment["HOME"];
  return home !== undefined && isInside(workspace, home) && !folder.includes("/node_modules/.bin");
}
