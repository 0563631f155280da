import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { machineClock } from "../protocol/clock.ts";
import { childEnvironment } from "../tools/processes/child-environment.ts";
import { killOnExit } from "../tools/processes/kill-on-exit.ts";
import { killProcessTree } from "../tools/processes/kill-process-tree.ts";
import { createOutputBuffer } from "../tools/processes/output-buffer.ts";
import { createTreeMark, markVariable, setLockLimit, type TreeMark } from "../tools/processes/tree-mark.ts";
import { findProgram } from "./find-program.ts";
import { createMessageReader } from "./message-reader.ts";
import type { StdioServer } from "./server-config.ts";

export interface StdioOptions {
  readonly server: StdioServer;
  readonly workspace: string;
  /** The environment of this process. */
  readonly env: NodeJS.ProcessEnv;
  /** Parses one line. Throws for anything but a JSON-RPC message. */
  readonly parse: (line: string) => JSONRPCMessage;
}

/** A transport to a program, and what the program wrote to its stderr. */
export interface StdioTransport extends Transport {
  stderr(): string;
  /** How the program ended, such as "with exit code 1"; empty while it runs. */
  exit(): string;
}

/** How long a server may take to end by itself, and then between SIGTERM and SIGKILL. */
const endMs = 300;
const graceMs = 1_000;

/**
 * Starts a server in a process group of its own, with a scrubbed environment. It and everything that it has started are
 * killed when the transport closes and when this process dies, even by SIGKILL.
 */
export function createStdioTransport({ server, workspace, env, parse }: StdioOptions): StdioTransport {
  const mark = createTreeMark();
  const stderr = createOutputBuffer({ headBytes: 16 * 1024, tailBytes: 48 * 1024 });
  let child: ChildProcess | undefined;
  let closing: Promise<void> | undefined;
  /** Resolves when the program has read what waits for it, or is gone. One for all messages that wait. */
  let drained: Promise<void> | undefined;
  const reader = createMessageReader({
    parse,
    onMessage: (message) => transport.onmessage?.(message),
    onBadLine: (error) => transport.onerror?.(error),
    onFlood(reason) {
      transport.onerror?.(new Error(reason));
      void transport.close();
    },
  });

  async function end(process: ChildProcess): Promise<void> {
    const { pid } = process;
    process.stdin?.end();
    const exited = new AbortController();
    process.once("exit", () => exited.abort());
    if (process.exitCode === null && process.signalCode === null && !reader.isFlooded)
      await machineClock.sleep(endMs, exited.signal);
    if (pid !== undefined) await killProcessTree({ leader: pid, mark }, { graceMs, sleep: machineClock.sleep });
    process.stdout?.destroy();
    process.stderr?.destroy();
  }

  const transport: StdioTransport = {
    async start() {
      const { cwd = workspace } = server;
      const environment = childEnvironment(env, { workspace, isOutsideSandbox: true, added: server.env ?? {} });
      const problem = await findProgram(server.command, { cwd, path: environment["PATH"] ?? "" });
      if (problem !== undefined) throw new Error(problem);
      const hasBash = (await findProgram("bash", { cwd, path: environment["PATH"] ?? "" })) === undefined;
      const marks = [env[markVariable], mark.text].filter((each) => each !== undefined).join(" ");
      const [shell, ...shellArgs] = markingShell(mark, hasBash);
      const started = spawn(shell, [...shellArgs, server.command, ...(server.args ?? [])], {
        cwd,
        env: { ...environment, [markVariable]: marks },
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
      child = started;
      const untrack = started.pid === undefined ? undefined : killOnExit({ leader: started.pid, mark });
      started.stdout.on("data", (chunk: Buffer) => reader.add(chunk)).on("error", ignore);
      started.stderr.on("data", (chunk: Buffer) => stderr.add(chunk)).on("error", ignore);
      started.stdin.on("error", ignore); // a broken pipe: its end is reported by `exit`
      await new Promise<void>((resolve, reject) => {
        started.once("spawn", resolve);
        started.once("error", reject);
      });
      started.once("exit", () => void transport.close());
      started.once("close", () => untrack?.());
    },
    async send(message) {
      if (child?.stdin === undefined || child.stdin === null || !child.stdin.writable || closing !== undefined)
        throw new Error("The server is not running.");
      if ("method" in message && "id" in message) reader.resetFlood();
      const { stdin } = child;
      if (stdin.write(`${JSON.stringify(message)}\n`)) return;
      drained ??= new Promise<void>((resolve) => {
        stdin.once("drain", resolve);
        stdin.once("close", resolve);
      }).finally(() => {
        drained = undefined;
      });
      await drained;
    },
    close() {
      closing ??= (async () => {
        transport.onclose?.(); // what waits for an answer learns of it at once
        if (child !== undefined) await end(child);
      })();
      return closing;
    },
    stderr: () => stderr.text(),
    exit() {
      if (child?.exitCode === 0 || child?.exitCode) return `with exit code ${child.exitCode}`;
      return child?.signalCode ? `by ${child.signalCode}` : "";
    },
  };
  return transport;
}

/**
 * A shell that sets the limit that marks all descendants, and is then replaced by the server. Not every `sh` can set
 * it: the one of Debian cannot.
 */
function markingShell(mark: TreeMark, hasBash: boolean): readonly [shell: string, ...args: string[]] {
  const unmarked = "sheepdog: a child that clears its environment may outlive this server: bash is not installed";
  if (hasBash) return ["bash", "--noprofile", "--norc", "-c", `${setLockLimit(mark)}exec "$@"`, "bash"];
  return ["/bin/sh", "-c", `${setLockLimit(mark)}echo "${unmarked}" >&2; exec "$@"`, "sh"];
}

/** The end of the process is reported by its exit. */
function ignore(): void {}
