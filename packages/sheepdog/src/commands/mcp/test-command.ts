import type { McpServerStatus, McpServers } from "@sheepdog/agent/mcp";
import { openMcp } from "../../compose/mcp/open-mcp.ts";
import { serverNote } from "../../compose/mcp/server-notes.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { withServers } from "./loaded-servers.ts";

const startMs = 60_000;
const stderrLines = 10;

/** Starts servers, and prints what they offer or why they do not start. Fails if one of them does not start. */
export async function testCommand(
  names: readonly string[],
  { json }: { readonly json?: true },
  io: Io,
): Promise<number> {
  return withServers(io, names, async ({ config, home }) => {
    const only = names.length === 0 ? {} : { only: names };
    const { servers, notes } = await openMcp({ config, home, env: io.env, cwd: io.cwd, ...only });
    try {
      await servers.waitUntilReady(startMs);
      const all = await Promise.all(servers.status().map((status) => testedServer(servers, status)));
      if (json) await write(io.stdout, `${jsonText({ schemaVersion: 1, servers: all })}\n`);
      else for (const server of all) await write(io.stdout, `${serverLines(server).join("\n")}\n`);
      const isNoted = new Set(all.map(({ note }) => note));
      const others = notes().filter((note) => !isNoted.has(note));
      for (const note of others) await writeMessage(io, plainText(note));
      if (all.length === 0 && others.length === 0)
        await writeMessage(io, "there are no MCP servers; to add one: sheepdog mcp add");
      return all.every(({ state }) => state === "ready") && others.length === 0 ? exitCode.done : exitCode.failed;
    } finally {
      await servers.close();
    }
  });
}

interface TestedServer extends Pick<McpServerStatus, "name" | "state" | "about"> {
  readonly note: string | null;
  readonly tools: readonly { readonly name: string; readonly kind: string | null; readonly isApproved: boolean }[];
  readonly resources: number;
  readonly prompts: number;
  readonly stderr: readonly string[];
}

async function testedServer(servers: McpServers, status: McpServerStatus): Promise<TestedServer> {
  const { name, state, about, tools, pending, hasResources, hasPrompts, stderr } = status;
  const isReady = state === "ready";
  const count = async (list: Promise<readonly unknown[]>) => (await list.catch(() => [])).length;
  return {
    name,
    state,
    about,
    note: serverNote(status) ?? null,
    tools: [
      ...tools.map((tool) => ({ name: tool.name, kind: tool.kind ?? null, isApproved: true })),
      ...pending.map(({ definition }) => ({ name: `${name}__${definition.name}`, kind: null, isApproved: false })),
    ],
    resources: isReady && hasResources ? await count(servers.resources(name)) : 0,
    prompts: isReady && hasPrompts ? await count(servers.prompts(name)) : 0,
    stderr: stderr.trim() === "" ? [] : stderr.trim().split("\n").slice(-stderrLines).map(plainText),
  };
}

function serverLines({ name, state, about, note, tools, resources, prompts, stderr }: TestedServer): readonly string[] {
  const offers = [
    counted(tools.length, "tool"),
    ...(resources > 0 ? [counted(resources, "resource")] : []),
    ...(prompts > 0 ? [counted(prompts, "prompt")] : []),
  ].join(", ");
  return [
    `${name}: ${state === "ready" ? `ready (${plainText(about)}), ${offers}` : state}`,
    ...(note === null ? [] : [`  ${plainText(note)}`]),
    ...tools.map((tool) => `  ${plainText(tool.name)}  ${tool.isApproved ? (tool.kind ?? "unknown") : "not approved"}`),
    ...(state === "ready" || stderr.length === 0
      ? []
      : ["  It wrote to stderr:", ...stderr.map((line) => `    ${line}`)]),
  ];
}
