import { findSandbox } from "@sheepdog/agent";
import { type Check, fail, ok, warn } from "../finding.ts";

const consequence = "Commands run without a sandbox, so the project's own code can do everything that you can.";

/** Checks whether commands run in a sandbox, by starting one. */
export const sandboxCheck: Check = {
  name: "sandbox",
  async run({ io: { cwd }, home, config }) {
    const { security } = await config();
    if (security.sandbox === "off")
      return [warn(`${consequence} It is switched off.`, "sheepdog config unset security.sandbox")];
    const found = await findSandbox({ workspace: cwd, hidden: [home.dir] });
    if (found.isAvailable)
      return [
        ok("Commands run in a sandbox: they change only the workspace, and see neither your home nor the network."),
      ];
    if (security.sandbox === "required")
      return [fail(`No agent starts without a sandbox (security.sandbox). ${found.reason}`, found.fix)];
    return [warn(`${consequence} ${found.reason}`, found.fix)];
  },
};
