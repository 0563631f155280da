import { findSandbox } from "@sheepdog/agent";
import { sandboxOptions } from "../../compose/open-sandbox.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

const consequence = "Commands run without a sandbox, so the project's own code can do everything that you can.";

/** Checks whether commands run in a sandbox, by starting one. */
export const sandboxCheck: Check = {
  name: "sandbox",
  async run(context) {
    const config = await context.config();
    const { sandbox, sandbox_hosts: hosts } = config.security;
    if (sandbox === "off")
      return [warn(`${consequence} It is switched off.`, "sheepdog config unset security.sandbox")];
    const found = await findSandbox(sandboxOptions({ config, home: context.home, cwd: context.io.cwd }));
    if (found.isAvailable) return [ok(`Commands run in a sandbox: they change only the workspace, ${sight(hosts)}.`)];
    if (sandbox === "required")
      return [fail(`No agent starts without a sandbox (security.sandbox). ${found.reason}`, found.fix)];
    return [warn(`${consequence} ${found.reason}`, found.fix)];
  },
};

function sight(hosts: readonly string[]): string {
  if (hosts.length === 0) return "and see neither your home folder nor the network";
  return `do not see your home folder, and reach only ${hosts.join(", ")}`;
}
