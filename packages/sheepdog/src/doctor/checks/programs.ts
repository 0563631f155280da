import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Io } from "../../io.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

/** Checks the programs that the tools need. */
export const programsCheck: Check = {
  name: "programs",
  async run({ io: { env } }) {
    const [bash, git] = [await findProgram("bash", env), await findProgram("git", env)];
    return [
      bash === undefined
        ? fail("bash is not installed, so agents cannot run commands.", "Install bash.")
        : ok(`bash: ${bash}`),
      git === undefined
        ? warn("git is not installed, so agents cannot see their own changes.", "Install git.")
        : ok(`git: ${git}`),
    ];
  },
};

/** The path of the first executable of this name. */
async function findProgram(name: string, env: Io["env"]): Promise<string | undefined> {
  for (const folder of (env["PATH"] ?? "").split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return undefined;
}
