import { machineClock } from "../protocol/clock.ts";
import type { Tool } from "../tools/tool.ts";
import { createConnection, type ListedTools, type McpConnection, type McpServerState } from "./connection.ts";
import type { McpLogins } from "./logins.ts";
import { type McpPins, memoryPins } from "./pins.ts";
import {
  getPrompt,
  listPrompts,
  listResources,
  type McpPrompt,
  type McpResource,
  readResource,
  resourceTools,
} from "./resources.ts";
import { type PendingTool, type ReviewedTools, reviewTools } from "./review.ts";
import { type McpServerConfig, serverName, serverSource } from "./server-config.ts";
import { serverTool } from "./server-tool.ts";
import type { McpToolDefinition } from "./tool-definition.ts";

export interface McpOptions {
  /** The absolute path of the folder in which programs start. */
  readonly workspace: string;
  /** The environment of this process; default: `process.env`. Servers get only harmless variables of it. */
  readonly env?: NodeJS.ProcessEnv;
  /** Our version, for the servers. */
  readonly version?: string;
  /**
   * What the user has approved. A tool that is new or has changed is left out until it is approved. Default: what each
   * server lists first is approved, and what it changes later is left out.
   */
  readonly pins?: McpPins;
  /** Asks the user about new or changed tools, one server at a time, while `waitUntilReady` waits. */
  readonly approve?: (review: McpReview) => Promise<boolean>;
  /** The logins of servers with OAuth. */
  readonly logins?: McpLogins;
  /** Removes secrets from what servers say about their failures. */
  readonly redact?: (text: string) => string;
  /** The wait before a server is started a second time in a row; each further wait is twice as long. Default: 500. */
  readonly restartDelayMs?: number;
  /** Called when a server, its tools or its state has changed. */
  readonly onChange?: () => void;
}

/** New and changed tools of a server, for the user to approve. */
export interface McpReview {
  readonly server: string;
  readonly pending: readonly PendingTool[];
  /** The server has approved tools already. */
  readonly isKnown: boolean;
}

/** A server as it is now. */
export interface McpServerStatus {
  readonly name: string;
  readonly state: McpServerState;
  readonly problem?: string;
  /** The name and version that the server gives itself. */
  readonly about: string;
  readonly tools: readonly Tool[];
  readonly pending: readonly PendingTool[];
  /** Sentences about tools that cannot be used. */
  readonly toolProblems: readonly string[];
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
  readonly stderr: string;
}

/** The MCP servers of a runtime. */
export interface McpServers {
  /** The approved tools of all servers that are ready; the same list until something changes. */
  tools(): readonly Tool[];
  status(): readonly McpServerStatus[];
  /** Resolves when every server is ready or has failed, or the time is up. An open question is waited for. */
  waitUntilReady(ms: number): Promise<void>;
  /** Approves exactly these definitions, as the user has seen them. What the server lists instead stays pending. */
  approve(server: string, seen: readonly PendingTool[]): Promise<void>;
  resources(server: string): Promise<readonly McpResource[]>;
  readResource(server: string, uri: string): Promise<string>;
  prompts(server: string): Promise<readonly McpPrompt[]>;
  getPrompt(server: string, name: string, args: Readonly<Record<string, string>>): Promise<string>;
  /** Ends all servers, with everything that they have started. */
  close(): Promise<void>;
}

interface Server {
  readonly config: McpServerConfig;
  readonly connection: McpConnection;
  listed: ListedTools;
  reviewed: ReviewedTools;
  tools: readonly Tool[];
}

/** Connects to MCP servers, in parallel. Returns at once: a slow server holds up nothing, and its tools come later. */
export async function connectMcpServers(configs: readonly McpServerConfig[], options: McpOptions): Promise<McpServers> {
  checkNames(configs);
  const sdk = await import("@modelcontextprotocol/client");
  const { redact = (text) => text, onChange = () => {} } = options;
  const pins = options.pins ?? memoryPins();
  let all: readonly Tool[] = [];
  let questions: Promise<void> = Promise.resolve();
  let openQuestions = 0;
  let mayAsk = options.approve !== undefined;

  const servers = configs.map((config): Server => {
    const server: Server = {
      config,
      connection: createConnection({
        config,
        workspace: options.workspace,
        env: options.env ?? process.env,
        version: options.version ?? "0",
        restartDelayMs: options.restartDelayMs ?? 500,
        sdk,
        ...(options.logins === undefined ? {} : { logins: options.logins }),
        onTools: async (listed) => {
          const isFirst = server.tools.length === 0 && pins.tools(config.name).length === 0;
          server.listed = listed;
          server.reviewed = reviewTools(listed, config, pins);
          if (options.pins === undefined && isFirst) await approveSeen(server, server.reviewed.pending);
          rebuild(server);
          if (server.reviewed.pending.length > 0 && mayAsk) await ask(server);
        },
        onState: () => rebuild(server),
      }),
      listed: { entries: [], isCut: false },
      reviewed: { approved: [], pending: [], problems: [] },
      tools: [],
    };
    return server;
  });

  function rebuild(server: Server): void {
    if (!servers.includes(server)) return; // during creation
    const { config, connection, reviewed } = server;
    server.tools = reviewed.approved.map((definition) =>
      serverTool(definition, { config, connection, isApproved: () => isApproved(server, definition) }),
    );
    const usable = servers.filter(({ connection: { state } }) => state === "ready" || state === "ended");
    const withResources = usable
      .filter((each) => each.connection.capabilities.resources !== undefined)
      .map((each) => ({
        name: each.config.name,
        connection: each.connection,
        trustsAnnotations: each.config.trustsAnnotations === true,
      }));
    all = [...usable.flatMap(({ tools }) => tools), ...resourceTools(withResources)];
    onChange();
  }

  function isApproved({ reviewed }: Server, { name, sha256 }: McpToolDefinition): boolean {
    return reviewed.approved.some((each) => each.name === name && each.sha256 === sha256);
  }

  /** The server may list something else by now: only what the user has seen is approved. */
  async function approveSeen(server: Server, seen: readonly PendingTool[]): Promise<void> {
    const { config } = server;
    const definitions = seen.map(({ definition }) => definition);
    await pins.approve(config.name, definitions, serverSource(config));
    server.reviewed = reviewTools(server.listed, config, pins);
  }

  /** One question at a time. What the user refuses stays left out. */
  function ask(server: Server): Promise<void> {
    openQuestions += 1;
    questions = questions
      .then(async () => {
        const { pending } = server.reviewed;
        if (!mayAsk || pending.length === 0) return;
        const isKnown = pins.tools(server.config.name).length > 0;
        if ((await options.approve?.({ server: server.config.name, pending, isKnown })) !== true) return;
        await approveSeen(server, pending);
        rebuild(server);
      })
      .finally(() => {
        openQuestions -= 1;
      });
    return questions;
  }

  const find = (name: string): Server => {
    const found = servers.find(({ config }) => config.name === name);
    if (found === undefined) throw new Error(`There is no MCP server "${name}".`);
    return found;
  };
  const connected = Promise.all(servers.map(({ connection }) => connection.connect()));

  return {
    tools: () => all,
    status: () => servers.map((server) => statusOf(server, redact)),
    async waitUntilReady(ms) {
      const over = new AbortController();
      await Promise.race([connected, machineClock.sleep(ms, over.signal)]);
      over.abort();
      while (openQuestions > 0) await questions;
      mayAsk = false;
    },
    async approve(name, seen) {
      const server = find(name);
      await approveSeen(server, seen);
      rebuild(server);
    },
    resources: (name) => listResources(find(name).connection),
    readResource: (name, uri) => readResource(find(name).connection, uri),
    prompts: (name) => listPrompts(find(name).connection),
    getPrompt: (name, prompt, args) => getPrompt(find(name).connection, prompt, args),
    async close() {
      mayAsk = false;
      await Promise.all(servers.map(({ connection }) => connection.close()));
    },
  };
}

function statusOf({ config, connection, reviewed, tools }: Server, redact: (text: string) => string): McpServerStatus {
  const { state, problem, about, capabilities } = connection;
  return {
    name: config.name,
    state,
    ...(problem === undefined ? {} : { problem: redact(problem) }),
    about: redact(about),
    tools,
    pending: reviewed.pending,
    toolProblems: reviewed.problems.map(redact),
    hasResources: capabilities.resources !== undefined,
    hasPrompts: capabilities.prompts !== undefined,
    stderr: redact(connection.stderr()),
  };
}

function checkNames(configs: readonly McpServerConfig[]): void {
  const seen = new Set<string>();
  for (const { name } of configs) {
    if (!serverName.test(name))
      throw new Error(`The MCP server "${name}" needs another name: 1 to 24 letters, digits, "-" or single "_".`);
    if (seen.has(name)) throw new Error(`Two MCP servers are named "${name}".`);
    seen.add(name);
  }
}
