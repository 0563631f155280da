import { openMcp } from "../../compose/mcp/open-mcp.ts";
import { reviewLines } from "../../compose/mcp/review-lines.ts";
import { serverNote } from "../../compose/mcp/server-notes.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { confirm } from "../confirm.ts";
import { withServers } from "./loaded-servers.ts";

const startMs = 60_000;

/** Shows new and changed tools of a server, and approves them if the user agrees. */
export async function approveCommand(name: string, { yes }: { readonly yes?: true }, io: Io): Promise<number> {
  return withServers(io, [name], async ({ config, home }) => {
    const { servers, notes } = await openMcp({ config, home, env: io.env, cwd: io.cwd, only: [name] });
    try {
      await servers.waitUntilReady(startMs);
      const [status] = servers.status();
      if (status === undefined || status.state !== "ready") {
        const note = status === undefined ? notes()[0] : serverNote(status);
        await writeMessage(io, note ?? `the MCP server "${name}" is switched off`);
        return exitCode.failed;
      }
      const { pending, tools } = status;
      if (pending.length === 0) {
        await write(io.stdout, `All ${counted(tools.length, "tool")} of "${name}" are approved.\n`);
        return exitCode.done;
      }
      await write(io.stdout, `${reviewLines({ server: name, pending }).join("\n")}\n`);
      if (!yes && io.stdin.isTTY !== true) {
        await writeMessage(
          io,
          `nothing is approved: there is no terminal to ask on; use: sheepdog mcp approve ${name} --yes`,
        );
        return exitCode.failed;
      }
      if (!yes && !(await confirm(`Approve ${counted(pending.length, "tool")}?`, io))) {
        await writeMessage(io, "nothing is approved");
        return exitCode.failed;
      }
      await servers.approve(name, pending);
      await write(
        io.stdout,
        `Approved. Agents can call ${counted(tools.length + pending.length, "tool")} of "${name}".\n`,
      );
      return exitCode.done;
    } finally {
      await servers.close();
    }
  });
}
