import { z } from "zod";
import { defineTool } from "../tools/define-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { McpConnection } from "./connection.ts";
import { mcpLimits } from "./limits.ts";
import { contentText, resourceText } from "./result-text.ts";

/** A resource that a server offers to read. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

/** A prompt that a server offers. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

const requestMs = 30_000;
const entry = z.looseObject({ name: z.string().catch(""), description: z.string().catch("") });
const page = (key: string) =>
  z.looseObject({ [key]: z.array(z.unknown()).optional(), nextCursor: z.string().optional() });

async function listAll(connection: McpConnection, method: string, key: string): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  let chars = 0;
  for (let pages = 0; pages < mcpLimits.pages && all.length < mcpLimits.listed; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await connection.use((client) =>
      client.request({ method, params }, page(key), { timeout: requestMs }),
    );
    const found = listed[key];
    chars += JSON.stringify(listed).length;
    if (chars > mcpLimits.listChars) break;
    if (Array.isArray(found)) all.push(...found.slice(0, mcpLimits.listed));
    cursor = typeof listed["nextCursor"] === "string" ? listed["nextCursor"] : undefined;
    if (cursor === undefined) break;
  }
  return all.slice(0, mcpLimits.listed);
}

export async function listResources(connection: McpConnection): Promise<readonly McpResource[]> {
  if (connection.capabilities.resources === undefined) return [];
  return (await listAll(connection, "resources/list", "resources")).flatMap((each) => {
    const read = entry.extend({ uri: z.string() }).safeParse(each);
    return read.success ? [{ uri: read.data.uri, name: read.data.name, description: read.data.description }] : [];
  });
}

export async function readResource(connection: McpConnection, uri: string, signal?: AbortSignal): Promise<string> {
  const options = { timeout: requestMs, ...(signal === undefined ? {} : { signal }) };
  const { contents = [] } = await connection.use(
    (client) =>
      client.request(
        { method: "resources/read", params: { uri } },
        z.looseObject({ contents: z.array(z.unknown()).optional() }),
        options,
      ),
    signal,
  );
  return contents.map(resourceText).join("\n");
}

export async function listPrompts(connection: McpConnection): Promise<readonly McpPrompt[]> {
  if (connection.capabilities.prompts === undefined) return [];
  const argument = z.looseObject({ name: z.string(), required: z.boolean().catch(false) });
  return (await listAll(connection, "prompts/list", "prompts")).flatMap((each) => {
    const read = entry.extend({ arguments: z.array(argument).catch([]) }).safeParse(each);
    if (!read.success || read.data.name === "") return [];
    const { name, description, arguments: args } = read.data;
    return [{ name, description, arguments: args.map(({ name: each, required }) => ({ name: each, required })) }];
  });
}

/** The text of a prompt, with its arguments filled in. */
export async function getPrompt(
  connection: McpConnection,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<string> {
  const { messages } = await connection.use((client) =>
    client.request(
      { method: "prompts/get", params: { name, arguments: args } },
      z.looseObject({ messages: z.array(z.looseObject({ content: z.unknown() })) }),
      { timeout: requestMs },
    ),
  );
  return messages.map(({ content }) => contentText(content)).join("\n\n");
}

/** A server with resources. */
export interface ResourceServer {
  readonly name: string;
  readonly connection: McpConnection;
  readonly trustsAnnotations: boolean;
}

const LIST = "mcp_list_resources";
const READ = "mcp_read_resource";

/** The two tools for resources; none if no server has any. */
export function resourceTools(servers: readonly ResourceServer[]): readonly Tool[] {
  if (servers.length === 0) return [];
  const names = servers.map(({ name }) => name).join(", ");
  const shared = {
    origin: "external",
    kind: "read",
    ...(servers.every(({ trustsAnnotations }) => trustsAnnotations) ? {} : { isKindClaimed: true }),
  } as const;
  const find = (name: string) => servers.find((server) => server.name === name);
  return [
    defineTool({
      ...shared,
      name: LIST,
      description: `Lists the resources (documents, tables, logs) of the MCP servers: ${names}.`,
      input: z.object({ server: z.string().optional().describe("only this server") }),
      async run({ server }) {
        const chosen = server === undefined ? servers : servers.filter(({ name }) => name === server);
        if (chosen.length === 0) return { status: "error", content: `There is no such server. There are: ${names}.` };
        const lines = await Promise.all(
          chosen.map(async ({ name, connection }) =>
            (await listResources(connection)).map((each) => `${name} ${each.uri} ${each.name} ${each.description}`),
          ),
        );
        return lines.flat().join("\n") || "There are no resources.";
      },
    }),
    defineTool({
      ...shared,
      name: READ,
      description: `Reads a resource of an MCP server by its address, as ${LIST} shows it.`,
      input: z.object({ server: z.string().describe(`one of: ${names}`), uri: z.string() }),
      async run({ server, uri }, { signal }) {
        const found = find(server);
        if (found === undefined) return { status: "error", content: `There is no such server. There are: ${names}.` };
        return readResource(found.connection, uri, signal);
      },
    }),
  ];
}
