import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import { type CheckedHost, checkHost } from "./check-host.ts";

const started = new Map<string, Promise<string>>();

/**
 * Starts a proxy that connects to the listed hosts only, once for the same list. Returns the path of its Unix socket,
 * in a folder that only this user can enter. It ends with this process.
 */
export function startProxy(hosts: readonly string[]): Promise<string> {
  const key = JSON.stringify(hosts);
  const proxy = started.get(key) ?? listen(hosts);
  started.set(key, proxy);
  proxy.catch(() => started.delete(key)); // the caller gets the error, and may try again
  return proxy;
}

async function listen(hosts: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-proxy-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, "proxy.sock");
  const server = createProxy(hosts);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socket, resolve));
  server.unref();
  return socket;
}

type CheckTarget = (target: string) => Promise<CheckedHost>;

/** A server for CONNECT requests and for requests with a whole http address. */
export function createProxy(
  hosts: readonly string[],
  check: CheckTarget = (target) => checkHost(target, hosts),
): Server {
  const server = createServer((request, response) => void forward(request, response, check));
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel({ request, client, head }, check);
  });
  return server;
}

interface Tunnel {
  readonly request: IncomingMessage;
  readonly client: Duplex;
  readonly head: Buffer;
}

async function tunnel({ request, client, head }: Tunnel, check: CheckTarget): Promise<void> {
  client.on("error", () => undefined); // the command has ended
  const checked = await check(request.url ?? "");
  if (client.destroyed) return;
  if (!checked.isAllowed) {
    client.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${checked.reason.length}\r\n\r\n${checked.reason}`);
    return;
  }
  const server = connectTo(checked);
  server.once("connect", () => client.write("HTTP/1.1 200 Connection Established\r\n\r\n"));
  server.write(head);
  pipeline(server, client, ignoreEnd);
  pipeline(client, server, ignoreEnd); // also before the server answers: it notices when the client leaves
}

async function forward(request: IncomingMessage, response: ServerResponse, check: CheckTarget): Promise<void> {
  const { url = "", method = "GET", headers } = request;
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const checked = await check(target?.protocol === "http:" ? `${target.hostname}:${target.port || 80}` : "");
  if (response.destroyed) return;
  if (target === undefined || !checked.isAllowed) {
    response.writeHead(403).end(checked.isAllowed ? "" : checked.reason);
    return;
  }
  const forwarded = requestHttp({
    method,
    path: `${target.pathname}${target.search}`,
    headers: { ...withoutProxyHeaders(headers), host: target.host },
    createConnection: () => connectTo(checked),
  });
  forwarded.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response, ignoreEnd);
  });
  forwarded.on("error", () => response.destroy());
  response.once("close", () => forwarded.destroy());
  request.pipe(forwarded);
}

/** When one end breaks off, `pipeline` ends the other; there is nothing else to do. */
function ignoreEnd(): void {}

/** Connects to the address that was checked: a second lookup could return another one. */
function connectTo({ address, port }: Extract<CheckedHost, { isAllowed: true }>): Socket {
  return connect({ host: address, port });
}

function withoutProxyHeaders(headers: IncomingMessage["headers"]): IncomingMessage["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^proxy-|^connection$/.test(name)));
}
