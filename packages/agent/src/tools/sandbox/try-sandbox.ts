import { execFile } from "node:child_process";
import { childEnvironment } from "../processes/child-environment.ts";
import type { FoundSandbox, Sandbox } from "./sandbox.ts";

const noNamespaces =
  "The system or its container must allow user namespaces; a container needs its own permission for them.";
const privileges = "A command could change the system with it. Start the agent as a user who is not root.";

/** Prints the first setting of the kernel that can be opened for writing. Nothing is written to it. */
const findOpenSetting = `
shopt -s globstar nullglob
for entry in /proc/[!0-9]* /sys/kernel/uevent_helper /sys/power/state; do
  [ -L "$entry" ] || for file in "$entry" "$entry"/**; do
    [ -f "$file" ] && { exec 3>>"$file"; } 2>/dev/null && echo "$file" && exit
  done
done
exit 0
`;

/** Starts a sandbox. It is not available if it does not work, or if a command in it could change the system. */
export function trySandbox(sandbox: Sandbox, workspace: string): Promise<FoundSandbox> {
  const request = {
    workspace,
    environment: childEnvironment(process.env, { workspace, isOutsideSandbox: true }),
    setup: "",
    argv: ["bash", "-c", findOpenSetting],
  } as const;
  const { argv, environment } = sandbox.wrap(request);
  const [program, ...args] = argv;
  return new Promise((resolve) => {
    execFile(program, args, { env: environment, cwd: "/", timeout: 10_000 }, (error, stdout, stderr) => {
      const problem = stderr.trim().split("\n")[0] || error?.message.split("\n")[0];
      const open = stdout.trim();
      if (error !== null)
        resolve({ isAvailable: false, reason: `Bubblewrap does not work here (${problem}).`, fix: noNamespaces });
      else if (open !== "")
        resolve({ isAvailable: false, reason: `Bubblewrap leaves ${open} writable.`, fix: privileges });
      else resolve({ isAvailable: true, sandbox });
    });
  });
}
