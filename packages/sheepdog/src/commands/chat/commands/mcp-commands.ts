import { createHash } from "node:crypto";
import type { McpServerStatus, McpServers } from "@sheepdog/agent/mcp";
import { reviewLines } from "../../../compose/mcp/review-lines.ts";
import { serverNote } from "../../../compose/mcp/server-notes.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";

/** What `/mcp` can use. */
export interface McpHost {
  /** The MCP servers of the agent, if any are configured. */
  readonly mcp: McpServers | undefined;
  say(text: string, tone?: "plain" | "dim" | "warning"): void;
  /** Puts a text into the line, for the user to send. */
  insert(text: string): void;
}

const maxListed = 40;
const usage =
  "Type /mcp, /mcp <server>, /mcp approve <server>, /mcp read <server> <address>, or " +
  "/mcp prompt <server> <name> [argument=value].";

/** Performs `/mcp`. */
export async function mcpCommand(argument: string, { mcp, say, insert }: McpHost): Promise<void> {
  if (mcp === undefined) return say("There are no MCP servers. To add one: sheepdog mcp add");
  const [verb = "", server = "", name = "", ...rest] = argument.split(/\s+/);
  const statuses = mcp.status();
  if (verb === "") return say(statuses.flatMap(statusLines).join("\n"));
  try {
    if (statuses.some((status) => status.name === verb)) return say((await offers(mcp, verb)).join("\n"));
    if (!statuses.some((status) => status.name === server)) return say(usage, "warning");
    if (verb === "approve") return await approve(mcp, server, name, say);
    if (verb === "read" && name !== "") return say(firstLines(await mcp.readResource(server, name)));
    if (verb === "prompt" && name !== "") return insert(printable(await mcp.getPrompt(server, name, pairs(rest))));
    return say(usage, "warning");
  } catch (error) {
    return say(plainText(error instanceof Error ? error.message : String(error)), "warning");
  }
}

function statusLines(status: McpServerStatus): readonly string[] {
  const { name, state, tools, pending, hasResources, hasPrompts } = status;
  const parts = [
    counted(tools.length, "tool"),
    ...(hasResources ? ["resources"] : []),
    ...(hasPrompts ? ["prompts"] : []),
  ];
  const note = serverNote(status);
  const approve = pending.length > 0 ? [`    Or here: /mcp approve ${name}`] : [];
  return [
    `${name}: ${state}, ${parts.join(", ")}`,
    ...(note === undefined ? [] : [`  ${plainText(note)}`]),
    ...approve,
  ];
}

/** The tools, resources and prompts of a server. */
async function offers(mcp: McpServers, name: string): Promise<readonly string[]> {
  const [resources, prompts] = await Promise.all([mcp.resources(name), mcp.prompts(name)]);
  const tools = mcp.status().find((status) => status.name === name)?.tools ?? [];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [title, ...lines.slice(0, maxListed).map((line) => `  ${plainText(line)}`), ...more(lines)];
  return [
    ...section(
      "Tools:",
      tools.map((tool) => `${tool.name}  ${tool.kind ?? "unknown"}`),
    ),
    ...section(
      "Resources:",
      resources.map((each) => `${each.uri}  ${each.name}`),
    ),
    ...section(
      "Prompts:",
      prompts.map(({ name: prompt, description, arguments: args }) => {
        const names = args.map((each) => (each.required ? each.name : `[${each.name}]`)).join(" ");
        return `${prompt} ${names}  ${description}`;
      }),
    ),
  ];
}

function more(lines: readonly string[]): readonly string[] {
  return lines.length > maxListed ? [`  … and ${lines.length - maxListed} more`] : [];
}

/** Shows the tools first, and approves them with a second command, whose code says which ones the user has seen. */
async function approve(mcp: McpServers, server: string, word: string, say: McpHost["say"]): Promise<void> {
  const pending = mcp.status().find((status) => status.name === server)?.pending ?? [];
  if (pending.length === 0) return say(`All tools of ${server} are approved.`);
  const code = codeOf(pending);
  if (word !== code) {
    say(reviewLines({ server, pending }).join("\n"));
    return say(`To approve exactly these: /mcp approve ${server} ${code}`, "dim");
  }
  await mcp.approve(server, pending);
  say(`Approved: the agent can call ${counted(pending.length, "more tool")} of ${server}.`);
}

function codeOf(pending: McpServerStatus["pending"]): string {
  const definitions = pending.map(({ definition }) => `${definition.name} ${definition.sha256}`);
  return createHash("sha256").update(JSON.stringify(definitions)).digest("hex").slice(0, 6);
}

function pairs(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.flatMap((word) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

function firstLines(text: string): string {
  const lines = printable(text).split("\n");
  return [...lines.slice(0, 200), ...(lines.length > 200 ? [`… ${lines.length - 200} more lines`] : [])].join("\n");
}

/** The text of a server without anything that could act on the terminal. */
function printable(text: string): string {
  return text.split("\n").map(plainText).join("\n");
}
