import type * as Sdk from "@modelcontextprotocol/client";
import { z } from "zod";
import { machineClock } from "../protocol/clock.ts";
import { errorText, failureText, sentence, tellingLine } from "./failure-text.ts";
import { createHttpTransport } from "./http-transport.ts";
import { mcpLimits } from "./limits.ts";
import { type McpLogins, savedLogin } from "./logins.ts";
import type { McpServerConfig } from "./server-config.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";

/** What a server is doing. `needs-login`: it wants OAuth, and there is no valid token. */
export type McpServerState = "starting" | "ready" | "ended" | "failed" | "needs-login" | "closed";

export interface ConnectionOptions {
  readonly config: McpServerConfig;
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  /** Named to the server. */
  readonly version: string;
  readonly sdk: typeof Sdk;
  readonly logins?: McpLogins;
  /** The wait before the second restart in a row; each further one is twice as long. */
  readonly restartDelayMs: number;
  /** Called after each connect, and when the server says that its tools have changed. */
  readonly onTools: (tools: ListedTools) => Promise<void>;
  /** Called when the state changes. */
  readonly onState: () => void;
}

/** The entries of `tools/list` as the server sent them. */
export interface ListedTools {
  readonly entries: readonly unknown[];
  readonly isCut: boolean;
}

/** A connection to one server, which is made again after the server has ended. */
export interface McpConnection {
  readonly state: McpServerState;
  /** Why it is not ready. */
  readonly problem: string | undefined;
  readonly capabilities: Sdk.ServerCapabilities;
  /** The name and version that the server gives itself, and its protocol version. */
  readonly about: string;
  /** What a program wrote to its stderr: the beginning and the end. */
  stderr(): string;
  /** Connects. Never rejects: the state says what happened. */
  connect(): Promise<void>;
  /** Uses the connected client; connects again first if the server has ended. Rejects if it cannot. */
  use<T>(act: (client: Sdk.Client) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** The server ended during a request: whether it was executed is not known. */
export class ServerEndedError extends Error {}

export function createConnection(options: ConnectionOptions): McpConnection {
  const { config, sdk } = options;
  let state: McpServerState = "starting";
  let problem: string | undefined;
  let client: Sdk.Client | undefined;
  let transport: Sdk.Transport | undefined;
  let connecting: Promise<void> | undefined;
  let capabilities: Sdk.ServerCapabilities = {};
  let about = "";
  let restarts = 0;
  let listings = 0;
  const closed = new AbortController();

  function setState(next: McpServerState, why?: string): void {
    if (state === "closed") return;
    state = next;
    problem = why;
    options.onState();
  }

  async function open(): Promise<void> {
    setState("starting");
    listings = 0;
    const opened = new sdk.Client({ name: "sheepdog", version: options.version }, { capabilities: {} });
    let wire: Sdk.Transport | undefined;
    const timeout = config.startTimeoutMs ?? mcpLimits.startMs;
    let lastError = "";
    opened.onerror = (error) => {
      lastError = errorText(error);
    };
    opened.onclose = () => {
      if (client !== opened) return;
      client = undefined;
      setState("ended", endText("It ended", lastError, wire));
    };
    try {
      wire = await createTransport(options);
      transport = wire;
      await opened.connect(wire, { timeout, signal: closed.signal });
      capabilities = opened.getServerCapabilities() ?? {};
      const { name = "", version = "" } = opened.getServerVersion() ?? {};
      about = `${name} ${version}`.replaceAll(/\s+/g, " ").trim().slice(0, 100);
      client = opened;
      opened.setNotificationHandler("notifications/tools/list_changed", () => relist(opened));
      await options.onTools(await listTools(opened, timeout));
      if (client === opened) setState("ready");
    } catch (error) {
      client = undefined;
      await opened.close().catch(() => {});
      await wire?.close().catch(() => {});
      if (isUnauthorized(error, sdk)) setState("needs-login", "It asks for a login.");
      else if (isClosed(error, sdk)) setState("failed", endText("It ended", lastError, wire));
      else setState("failed", withStderr(failureText(error, sdk), wire));
    }
  }

  let isRelisting = false;
  let isListStale = false;
  /** Coalesces notifications, and ignores them after a number: a server could send them for ever. */
  async function relist(from: Sdk.Client): Promise<void> {
    isListStale = true;
    if (isRelisting) return;
    isRelisting = true;
    try {
      while (isListStale && client === from && listings < mcpLimits.listings) {
        isListStale = false;
        listings += 1;
        await options.onTools(await listTools(from, config.startTimeoutMs ?? mcpLimits.startMs));
      }
    } catch (error) {
      problem = `Its tools could not be listed again: ${failureText(error, sdk)}`;
    } finally {
      isRelisting = false;
    }
  }

  function connect(): Promise<void> {
    connecting ??= open().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  /** Restarts with growing delays, a few times in a row. */
  async function reconnect(signal: AbortSignal | undefined): Promise<void> {
    if (connecting !== undefined) return connecting;
    if (state === "closed" || state === "needs-login") return;
    if (restarts >= mcpLimits.restarts) return;
    restarts += 1;
    if (restarts > 1) await machineClock.sleep(options.restartDelayMs * 2 ** (restarts - 2), signal ?? closed.signal);
    if (signal?.aborted !== true) await connect();
  }

  return {
    get state() {
      return state;
    },
    get problem() {
      return problem;
    },
    get capabilities() {
      return capabilities;
    },
    get about() {
      return about;
    },
    stderr: () => (transport === undefined ? "" : stderrOf(transport)),
    connect,
    async use(act, signal) {
      if (client === undefined) await reconnect(signal);
      const used = client;
      if (used === undefined)
        throw new Error(
          restarts >= mcpLimits.restarts
            ? `The server was started ${restarts} times and ended each time. ${problem ?? ""}`
            : `The server is not connected.${problem === undefined ? "" : ` ${problem}`}`,
        );
      try {
        const result = await act(used);
        restarts = 0;
        return result;
      } catch (error) {
        if (client === used && !isLost(error, sdk)) throw error;
        if (client === used) {
          client = undefined; // over HTTP nothing tells that the server is gone but a request
          setState("ended", failureText(error, sdk));
          void used.close().catch(() => {});
        }
        throw new ServerEndedError(failureText(error, sdk), { cause: error });
      }
    },
    async close() {
      setState("closed");
      closed.abort();
      const open = client;
      client = undefined;
      await open?.close().catch(() => {});
      await transport?.close().catch(() => {});
    },
  };
}

async function createTransport({ config, workspace, env, sdk, logins }: ConnectionOptions): Promise<Sdk.Transport> {
  const { transport } = config;
  if (transport.type === "stdio")
    return createStdioTransport({ server: transport, workspace, env, parse: sdk.deserializeMessage });
  // Without a login no client is registered with anybody: a run does not start a login by itself.
  const hasLogin = (await logins?.find(transport.url)) !== undefined;
  return createHttpTransport(sdk, transport, hasLogin ? savedLogin(transport.url, logins) : undefined);
}

const toolsPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/**
 * Lists the tools by pages, within bounds of the whole list: its time, its size and its length. Entries are read one by
 * one, so that a bad one does not hide the others.
 */
async function listTools(client: Sdk.Client, timeout: number): Promise<ListedTools> {
  if (client.getServerCapabilities()?.tools === undefined) return { entries: [], isCut: false };
  const entries: unknown[] = [];
  const endsAt = Date.now() + timeout;
  let chars = 0;
  let cursor: string | undefined;
  for (let page = 0; page < mcpLimits.pages && endsAt > Date.now(); page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const options = { timeout: Math.max(1, endsAt - Date.now()) };
    const listed = await client.request({ method: "tools/list", params }, toolsPage, options);
    chars += JSON.stringify(listed).length;
    if (chars > mcpLimits.listChars || entries.length + listed.tools.length > mcpLimits.listEntries) break;
    for (const entry of listed.tools) entries.push(entry);
    cursor = listed.nextCursor;
    if (cursor === undefined) return { entries, isCut: false };
  }
  return { entries, isCut: true };
}

/** Whether the connection itself is lost, not only this request. */
function isLost(error: unknown, { SdkError, SdkErrorCode, SdkHttpError }: typeof Sdk): boolean {
  if (SdkHttpError.isInstance(error)) return error.status === 404 || (error.status ?? 0) >= 502;
  if (SdkError.isInstance(error))
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code);
  return error instanceof TypeError; // `fetch` rejects with it if there is no connection
}

/** Whether the server asks for a login. */
function isUnauthorized(error: unknown, { UnauthorizedError, SdkHttpError }: typeof Sdk): boolean {
  return UnauthorizedError.isInstance(error) || (SdkHttpError.isInstance(error) && error.status === 401);
}

function stderrOf(transport: Sdk.Transport | StdioTransport): string {
  return "stderr" in transport ? transport.stderr() : "";
}

/** Whether the connection was closed during the request. */
function isClosed(error: unknown, { SdkError, SdkErrorCode }: typeof Sdk): boolean {
  return SdkError.isInstance(error) && error.code === SdkErrorCode.ConnectionClosed;
}

/** That a server ended: with which exit code, after which error, and the last that it wrote. */
function endText(ended: string, lastError: string, wire: Sdk.Transport | undefined): string {
  const exit = wire !== undefined && "exit" in wire ? (wire as StdioTransport).exit() : ""; // only that one has it
  const text = exit === "" ? `${ended}.` : `${ended} ${exit}.`;
  return withStderr(lastError === "" ? text : `${text} ${lastError}`, wire);
}

function withStderr(text: string, wire: Sdk.Transport | undefined): string {
  const line = wire === undefined ? "" : tellingLine(stderrOf(wire));
  return line === "" ? text : `${text} It wrote to stderr: ${sentence(line)}`;
}
