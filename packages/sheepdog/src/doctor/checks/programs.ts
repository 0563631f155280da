import { findProgram } from "../find-program.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

/** Checks the programs that the tools need. */
export const programsCheck: Check = {
  name: "programs",
  async run({ io: { env } }) {
    const [bash, git] = [findProgram("bash", env), findProgram("git", env)];
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
