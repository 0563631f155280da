import { loginToServer, openLogins } from "@sheepdog/agent/mcp";
import { mcpServerConfigs } from "../../compose/mcp/server-configs.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { withServers } from "./loaded-servers.ts";

const waitMs = 10 * 60_000;

/** Logs in at a server with OAuth. The tokens are saved in the home folder. */
export async function loginCommand(name: string, io: Io): Promise<number> {
  return withServers(io, [name], async ({ config, home }) => {
    const { servers, problems } = mcpServerConfigs(config, io);
    const transport = servers.find((server) => server.name === name)?.transport;
    if (transport?.type !== "http") {
      const reason =
        problems.find((problem) => problem.includes(`"${name}"`)) ?? `"${name}" is a program: it has no login`;
      await writeMessage(io, plainText(reason));
      return exitCode.usage;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), waitMs);
    const stopListening = io.onInterrupt(() => stop.abort());
    try {
      const result = await loginToServer(transport, {
        logins: openLogins(home.mcpLoginsFile),
        show: (url) => void write(io.stdout, `Open this address in a browser to log in:\n${url.href}\n`),
        signal: stop.signal,
      });
      const done = result === "logged-in" ? `You are logged in at "${name}".` : `"${name}" asks for no login.`;
      await write(io.stdout, `${done}\n`);
      return exitCode.done;
    } catch (error) {
      await writeMessage(io, plainText(`the login failed: ${error instanceof Error ? error.message : String(error)}`));
      return exitCode.failed;
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  });
}
