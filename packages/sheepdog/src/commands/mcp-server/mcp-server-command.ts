import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { loadConfig } from "../../config/load-config.ts";
import { createRunPort } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, writeMessage } from "../../io.ts";
import { packageVersion } from "../../package-version.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { thisProgram } from "../../run-commands/this-program.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { addTools } from "./add-tools.ts";
import type { ToolServer } from "./tool-server.ts";

/** The options of `sheepdog mcp-server`. */
export interface McpServerOptions {
  readonly root?: readonly string[];
  readonly readOnly?: true;
  readonly answers?: true;
  readonly maxRuns: string;
}

const instructions =
  "Runs agents of Sheepdog on this machine, under its user's configuration, limits and permissions. Start a run, " +
  "then watch it until it has ended. You cannot approve calls, answer questions or raise limits: only the user can.";

/** What is wrong with a message of the client. The SDK reports a message of no known form as a page of JSON. */
function messageProblem(error: Error): string {
  if (error.name === "ZodError" || /^\s*[[{]/.test(error.message)) return "a message of the client is no JSON-RPC";
  return plainText(error.message);
}

/** Serves MCP on stdin and stdout until the client is gone. */
export async function mcpServerCommand(
  { root, readOnly, answers, maxRuns }: McpServerOptions,
  io: Io,
): Promise<number> {
  if (!/^[1-9]\d{0,3}$/.test(maxRuns)) {
    await writeMessage(io, `--max-runs is "${plainText(maxRuns)}"; it must be a whole number from 1 to 9999`);
    return exitCode.usage;
  }
  const roots: string[] = [];
  for (const folder of root ?? [io.cwd]) {
    const real = await realpath(resolve(io.cwd, folder)).catch(() => undefined);
    if (real === undefined) {
      await writeMessage(io, plainText(`--root ${folder}: there is no such folder`));
      return exitCode.usage;
    }
    roots.push(real);
  }
  // A host may start its servers in / or in the home folder, which the user has not chosen as a place to work in.
  const isTooWide = root === undefined && roots.some((folder) => folder === "/" || folder === homedir());
  return withStores(
    io,
    async ({ stores, home }) => {
      const server: ToolServer = {
        context: {
          stores,
          env: io.env,
          cwd: io.cwd,
          now: Date.now,
          loadConfig: (folder) => loadConfig({ env: io.env, cwd: folder, home }),
          port: createRunPort(home),
          recordings: { list: async () => [] },
        },
        program: thisProgram(),
        roots: isTooWide ? [] : roots,
        isReadOnly: readOnly === true,
        maxRuns: Number(maxRuns),
        isAnswered: answers === true,
      };
      const transport = new StdioServerTransport();
      const ended = new Promise<void>((resolveEnd) => {
        process.stdin.once("close", resolveEnd).once("end", resolveEnd);
        io.onInterrupt(() => resolveEnd());
      });
      const handle = serveStdio(
        () => {
          const mcp = new McpServer({ name: "sheepdog", version: packageVersion() }, { instructions });
          addTools(mcp, server);
          return mcp;
        },
        { transport, onerror: (error) => void writeMessage(io, messageProblem(error)).catch(() => {}) },
      );
      await ended;
      await handle.close();
      return exitCode.done;
    },
    { createDatabase: true },
  );
}
