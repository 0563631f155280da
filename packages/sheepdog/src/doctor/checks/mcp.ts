import type { McpServerStatus } from "@sheepdog/agent/mcp";
import { counted } from "../../render/terminal/amounts.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

const startMs = 15_000;

/** Starts each configured MCP server, and checks that its tools are approved. */
export const mcpCheck: Check = {
  name: "mcp",
  async run(context) {
    const config = await context.config();
    const names = Object.keys(config.mcp.servers);
    if (names.length === 0) return [ok("No MCP servers are configured.")];
    const { openMcp } = await import("../../compose/mcp/open-mcp.ts");
    const { mcpServerConfigs } = await import("../../compose/mcp/server-configs.ts");
    const { env, cwd } = context.io;
    const { problems, servers: all } = mcpServerConfigs(config, { env, cwd });
    // An address is asked only if the user wants requests to other machines.
    const local = all.filter(({ transport }) => context.isOnline || transport.type === "stdio").map(({ name }) => name);
    const { servers } = await openMcp({ config, home: context.home, env, cwd, only: local });
    try {
      await servers.waitUntilReady(startMs);
      const off = names.filter((name) => config.mcp.servers[name]?.enabled === false);
      const remote = all.filter(({ name }) => !local.includes(name));
      return [
        ...problems.map((problem) => fail(problem)),
        ...servers.status().map((status) => serverFinding(status)),
        ...remote.map(({ name }) => ok(`${name} was not asked. To ask it: sheepdog doctor --online`)),
        ...off.map((name) => ok(`${name} is switched off.`)),
      ];
    } finally {
      await servers.close();
    }
  },
};

function serverFinding({ name, state, problem, tools, pending, toolProblems }: McpServerStatus): Finding {
  if (state === "needs-login") return fail(`${name} asks for a login.`, `sheepdog mcp login ${name}`);
  if (state !== "ready")
    return fail(
      `${name} does not start: ${problem ?? `no answer within ${startMs / 1_000} seconds`}`,
      `sheepdog mcp test ${name}`,
    );
  if (pending.length > 0)
    return warn(`${name} has ${pending.length} tools that you have not approved.`, `sheepdog mcp approve ${name}`);
  if (toolProblems.length > 0) return warn(`${name}: ${toolProblems.join("; ")}.`);
  return ok(`${name} is ready, with ${counted(tools.length, "approved tool")}.`);
}
