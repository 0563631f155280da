import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Io } from "../../../io.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

/** The programs that tools use. */
export const programsCheck: Check = {
  name: "programs",
  async run({ io: { env } }) {
    const [bash, git] = [await findProgram("bash", env), await findProgram("git", env)];
    return [
      bash === undefined
        ? fail("There is no bash, so agents cannot run commands.", "Install bash.")
        : ok(`bash: ${bash}`),
      git === undefined
        ? warn("There is no git: agents could not tell what they have changed.", "Install git.")
        : ok(`git: ${git}`),
    ];
  },
};

/** Whether commands could be locked in. They are not yet. */
export const sandboxCheck: Check = {
  name: "sandbox",
  async run({ io: { env } }) {
    const bwrap = await findProgram("bwrap", env);
    const is = bwrap === undefined ? "Bubblewrap (bwrap) is not installed" : `Bubblewrap is at ${bwrap}`;
    return [ok(`${is}; commands are not run in a sandbox yet: the gate asks before, or refuses.`)];
  },
};

/** The first program of this name that can be run. */
async function findProgram(name: string, env: Io["env"]): Promise<string | undefined> {
  for (const folder of (env["PATH"] ?? "").split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
