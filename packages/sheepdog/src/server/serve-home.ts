import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseError } from "@sheepdog/agent";
import { loadConfig } from "../config/load-config.ts";
import { createRunPort, followLiveEvents } from "../control/index.ts";
import type { Io } from "../io.ts";
import { packageRoot } from "../package-root.ts";
import { packageVersion } from "../package-version.ts";
import { createRecordingLibrary } from "../recordings/file-recording-library.ts";
import type { Program } from "../run-commands/spawn-run.ts";
import { thisProgram } from "../run-commands/this-program.ts";
import type { StoreContext } from "../saved-runs/with-stores.ts";
import { createHandlers } from "./handlers.ts";
import type { HookHandler } from "./hook-handler.ts";
import { openApiDocument } from "./open-api.ts";
import { isLoopback } from "./security/allowed-hosts.ts";
import { createCredentials, newSecret } from "./security/credentials.ts";
import { openServerFile } from "./server-file.ts";
import { type RunningServer, startServer } from "./start-server.ts";
import type { FollowLive } from "./stream/event-source.ts";
import { createSessionTree } from "./stream/session-tree.ts";
import { createStreamHub } from "./stream/stream-hub.ts";
import { watchStore } from "./stream/watch-store.ts";
import type { ViewContext } from "./view-context.ts";
import { toWireEvent } from "./views/wire-event.ts";

/** How a home is served. */
export interface ServeOptions {
  /** Default: the loopback address. */
  readonly host?: string;
  /** Default: 4114, or the next free port. */
  readonly port?: number;
  readonly allowRemote?: boolean;
  /** Logs all browsers out. */
  readonly newToken?: boolean;
  /** How runs are started; default: this program. */
  readonly program?: Program;
  /** The folder of the built pages. */
  readonly pagesFolder?: string;
  /** Events before they are saved; default: those of all processes. */
  readonly followLive?: FollowLive;
  /** A request must have arrived within this time. */
  readonly requestMs?: number;
  readonly maxClients?: number;
  readonly heartbeatMs?: number;
  /** Answers signed messages of other programs. */
  readonly onHook?: HookHandler;
  readonly onProblem: (sentence: string) => void;
}

/** A server for one home, or why there is none. */
export type ServedHome =
  | { readonly ok: true; readonly server: RunningServer; readonly token: string; close(): Promise<void> }
  | { readonly ok: false; readonly problem: string };

const defaultPort = 4114;
const nextPorts = 20;

/** Serves the runs of a home, and registers the server in the file of the home. */
export async function serveHome(context: ViewContext, options: ServeOptions): Promise<ServedHome> {
  const { host = "127.0.0.1", port, allowRemote = false, newToken = false, onProblem } = options;
  if (!isLoopback(host) && !allowRemote) return { ok: false, problem: remoteProblem(host) };
  const file = openServerFile(context.home);
  const fileProblem = await file.problem();
  if (fileProblem !== undefined) return { ok: false, problem: fileProblem };
  const token = newSecret();
  const { stores, now, home } = context;
  let isClosing = false;
  const reportDatabase = oncePerMinute(onProblem);
  const serverOptions = {
    ports: port === undefined ? [...Array.from({ length: nextPorts }, (_, more) => defaultPort + more), 0] : [port],
    handlers: createHandlers(context, options.program ?? thisProgram()),
    hub: createStreamHub({
      ...options,
      source: stores.events,
      followLive: options.followLive ?? ((onEvents) => followLiveEvents(home, onEvents)),
      isWithin: createSessionTree(stores, now),
      toWireEvent,
      watchStore: (onChange) => watchStore(home, onChange),
      onProblem,
    }),
    credentials: createCredentials({ token, key: await file.readKey(newToken) }),
    openApi: () => openApiDocument(packageVersion()),
    pagesFolder: options.pagesFolder ?? fileURLToPath(new URL("dist/web", packageRoot)),
    onHook: options.onHook,
    now,
    ...(options.requestMs === undefined ? {} : { requestMs: options.requestMs }),
    onError(error: unknown, path: string) {
      if (isClosing) return; // the stores are closed while it is answered, and nobody waits for the answer
      if (error instanceof DatabaseError) reportDatabase(error.message);
      else onProblem(`${path} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
  };
  const first = await startServer({ ...serverOptions, host });
  // A machine without IPv4 has another loopback address.
  const isAddressMissing = "code" in first && ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(first.code);
  const server =
    isAddressMissing && options.host === undefined ? await startServer({ ...serverOptions, host: "::1" }) : first;
  if ("code" in server) return { ok: false, problem: listenProblem(server, { host, port }) };
  await file.add({ pid: process.pid, host: server.host, port: server.port, token, startedAt: now() });
  return {
    ok: true,
    server,
    token,
    async close() {
      isClosing = true;
      await server.close();
      if ((await file.problem()) === undefined) await file.remove(process.pid);
    },
  };
}

/** Reports a sentence that is repeated by every request once in a minute. */
function oncePerMinute(report: (sentence: string) => void): (sentence: string) => void {
  let last = { sentence: "", at: 0 };
  return (sentence) => {
    const at = performance.now();
    if (sentence === last.sentence && at < last.at + 60_000) return;
    last = { sentence, at };
    report(sentence);
  };
}

/** What the views and commands of a server read and write. Recordings in the home are always found. */
export function createViewContext(
  { home, stores }: Pick<StoreContext, "home" | "stores">,
  { env, cwd }: Pick<Io, "env" | "cwd">,
  {
    recordings = [],
    onProblem,
  }: { readonly recordings?: readonly string[] | undefined; readonly onProblem?: (sentence: string) => void } = {},
): ViewContext {
  const places = [...ownRecordings(home), ...recordings.map((path) => resolve(cwd, path))];
  return {
    home,
    stores,
    env,
    cwd,
    now: Date.now,
    loadConfig: (folder) => loadConfig({ env, cwd: folder, home }),
    port: createRunPort(home),
    recordings: createRecordingLibrary(places, undefined, onProblem),
  };
}

/** The folder for recordings in a home, if there is one, and the sessions of attached agents. */
function ownRecordings({ dir, attachDir }: ViewContext["home"]): readonly string[] {
  return [...[join(dir, "recordings")].filter((path) => existsSync(path)), join(attachDir, "*", "*.jsonl")];
}

function remoteProblem(host: string): string {
  return (
    `${host} can be reached from other machines, and the server does not encrypt; prefer ssh -L 4114:127.0.0.1:4114, ` +
    "or add --allow-remote to serve it all the same"
  );
}

function listenProblem(
  { code, message }: { readonly code: string; readonly message: string },
  { host, port }: { readonly host: string; readonly port: number | undefined },
): string {
  if (code === "EADDRINUSE" && port !== undefined)
    return `port ${port} is in use; choose another with --port, or leave it out for the next free one`;
  if (code === "EACCES" && port !== undefined) return `port ${port} may not be used by you; choose one above 1023`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `this machine has no address ${host}; change --host`;
  return `the server cannot listen on ${host} (${message})`;
}
