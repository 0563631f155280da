import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { GuardOptions } from "../guard/guard-options.ts";
import { createMcpProxy, type McpProxy } from "./create-mcp-proxy.ts";
import { linesOf } from "./lines.ts";
import { writeTo } from "./write-to.ts";

/** The streams of the host: those of this process, where the host starts it as its server. */
export interface ProxyHost {
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioProxyOptions {
  /** The command that starts the server. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly host: ProxyHost;
  readonly guard?: GuardOptions;
  /** Calls the listener for every signal that asks this process to end; the server receives it too. */
  readonly onSignal?: (listener: (signal: NodeJS.Signals) => void) => () => void;
  /** A server that has lost its host is asked to end after this time, and killed after twice of it. Default 2,000. */
  readonly graceMs?: number;
}

/** How the server ended, or why it could not be started. */
export type StdioProxyResult =
  | { readonly ok: true; readonly exitCode: number }
  | { readonly ok: false; readonly problem: string };

type Server = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a server and passes messages between it and the host until one of them ends. */
export async function proxyStdio(options: StdioProxyOptions): Promise<StdioProxyResult> {
  const { command, args = [], cwd, env, host, graceMs = 2_000, onSignal = () => () => {} } = options;
  const proxy = createMcpProxy(options.guard);
  const server: Server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], cwd, env });
  const failure = await startFailure(server);
  if (failure !== undefined) return { ok: false, problem: startProblem(command, failure) };
  for (const stream of [server.stdin, host.output]) stream.on("error", () => {}); // its reader is gone: the end follows
  const ended = once(server, "close") as Promise<[number | null, NodeJS.Signals | null]>; // by its contract
  const removeListener = onSignal((signal) => server.kill(signal));
  const fromHost = passHostLines(host, server, proxy).finally(() => endServer(server, graceMs));
  const fromServer = passServerLines(host, server, proxy);
  const [code, signal] = await ended;
  removeListener();
  await fromServer;
  host.input.destroy();
  await fromHost;
  return { ok: true, exitCode: code ?? 128 + constants.signals[signal ?? "SIGTERM"] };
}

async function passHostLines({ input, output }: ProxyHost, server: Server, proxy: McpProxy): Promise<void> {
  try {
    for await (const bytes of linesOf(input)) {
      const { toServer, toHost } = proxy.fromHost(bytes.toString("utf8"));
      if (toHost !== undefined) await writeTo(output, `${toHost}\n`);
      if (toServer === "unchanged") await writeTo(server.stdin, bytes);
      else if (toServer !== undefined) await writeTo(server.stdin, `${toServer.line}\n`);
    }
  } catch {
    // the host's end of the stream broke, or the server has ended
  }
}

async function passServerLines({ output }: ProxyHost, server: Server, proxy: McpProxy): Promise<void> {
  try {
    for await (const bytes of linesOf(server.stdout)) {
      const changed = proxy.fromServer(bytes.toString("utf8"));
      await writeTo(output, changed === undefined ? bytes : `${changed}\n`);
    }
  } catch {
    server.kill(); // the host is gone
  }
}

/** The host is gone: the server is told, as the protocol says, by the end of its input. */
function endServer(server: Server, graceMs: number): void {
  server.stdin.end();
  const timers = [
    setTimeout(() => server.kill("SIGTERM"), graceMs),
    setTimeout(() => server.kill("SIGKILL"), 2 * graceMs),
  ];
  server.once("close", () => timers.forEach(clearTimeout));
  if (server.exitCode !== null || server.signalCode !== null) timers.forEach(clearTimeout);
}

function startFailure(server: Server): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once("spawn", () => resolve(undefined));
    server.once("error", resolve);
  });
}

function startProblem(command: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return `the server cannot be started: there is no program "${command}"`;
  if (code === "EACCES") return `the server cannot be started: "${command}" may not be executed`;
  return `the server cannot be started: ${message}`;
}
