import { chmodSync, mkdirSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { contractOf, type HookOutput } from "@sheepdog/integrations/hooks";
import type { Home } from "../home.ts";
import { processHook } from "./process-hook.ts";

/** The socket on which a long-lived process answers hooks. */
export interface HookServer {
  close(): Promise<void>;
}

/** Some systems allow 104 bytes for the path of a socket, and the last must be 0. */
const MAX_PATH_BYTES = 100;
/** More than the largest result that an agent reports. */
const MAX_REQUEST_CHARS = 64_000_000;
/** The server has other work: hooks that have to wait longer answer themselves. */
const WAIT_MS = 50;
/** A hook gives up earlier. One that hangs must not keep the server from ending. */
const IDLE_MS = 1_000;

/**
 * Answers hooks on the socket of the home, so that they need not load anything. Returns undefined if it cannot: hooks
 * then answer themselves. A socket that a killed process left is replaced; that of a running one stays.
 */
export async function startHookServer(home: Home, build: string): Promise<HookServer | undefined> {
  const path = home.hookSocket;
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || (await isAnswered(path))) return undefined;
  try {
    mkdirSync(home.attachDir, { recursive: true, mode: 0o700 });
    removeFile(path);
    const server = createServer({ allowHalfOpen: true }, (socket) => receive(socket, home, build));
    await listen(server, path);
    chmodSync(path, 0o600);
    return { close: () => new Promise((resolve) => server.close(() => resolve())) }; // removes the file
  } catch {
    return undefined;
  }
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.on("connect", () => finish(true));
    socket.on("error", () => finish(false));
  });
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // there is none
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      server.on("error", () => {}); // such as too many open files: the hook answers itself
      resolve();
    });
  });
}

/** A request is one JSON text up to the end of the stream, and so is the answer. No answer: the hook answers itself. */
function receive(socket: Socket, home: Home, build: string): void {
  let text = "";
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (text.length > MAX_REQUEST_CHARS) socket.destroy();
  });
  socket.on("end", () => {
    const output = answerRequest(text, home, build);
    socket.end(output === undefined ? "" : JSON.stringify(output));
  });
}

/** What bin/hook.js sends. */
interface ServerRequest {
  readonly agent: string;
  readonly build: string;
  readonly text: string;
  readonly isObserving: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Until when the hook waits for an answer. */
  readonly until: number;
}

function answerRequest(text: string, home: Home, build: string): HookOutput | undefined {
  try {
    const request = JSON.parse(text) as ServerRequest; // of this user's own process: the socket is private
    const contract = contractOf(request.agent);
    // A hook of another build may know other files, and one that has given up has answered itself.
    if (contract === undefined || request.build !== build || Date.now() > request.until) return undefined;
    const context = { home, build, now: Date.now, waitMs: WAIT_MS, isDaemon: true, throwsFailures: true } as const;
    const output = processHook({ ...request, contract }, context);
    return "missingModels" in output ? undefined : output;
  } catch {
    return undefined;
  }
}
