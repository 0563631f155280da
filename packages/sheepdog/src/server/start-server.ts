import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type AppOptions, createApp } from "./app.ts";
import { refuseConnection } from "./refuse-connection.ts";
import { allowedHosts, hostInUrl, localHost } from "./security/allowed-hosts.ts";
import { securityHeaders } from "./security/headers.ts";
import { type Refusal, refuseRequest } from "./security/refuse-request.ts";

/** How the server listens, and what it serves. */
export interface ServerOptions extends Omit<AppOptions, "port"> {
  readonly host: string;
  /** The ports to try, in this order; 0 is any free port. */
  readonly ports: readonly number[];
  /** A request must have arrived within this time. */
  readonly requestMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** The address on this machine, without the token: `http://127.0.0.1:4114`. */
  readonly origin: string;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/** Why the server does not listen. */
export interface ListenProblem {
  readonly code: string;
  readonly message: string;
}

/** Pages with open streams, and requests beside them. */
const maxConnections = 2_500;
const checkMs = 1_000;
/** A connection on which nothing moves is destroyed: its client does not read. A stream has heartbeats. */
const idleMs = 120_000;

/** Starts the server on the first port that is free. */
export async function startServer(options: ServerOptions): Promise<RunningServer | ListenProblem> {
  const { host, ports, hub, requestMs = 20_000 } = options;
  let port = 0;
  let hosts: ReadonlySet<string> = new Set();
  const answer = createApp({ ...options, port: () => port });
  const server = createServer(
    {
      headersTimeout: requestMs / 2,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      const refusal = prepare(request, response, hosts);
      if (refusal === undefined) void answer(request, response);
    },
  );
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = 10_000;
  server.timeout = idleMs;
  for (const event of ["upgrade", "connect"] as const)
    server.on(event, (_: IncomingMessage, socket: Duplex) => refuseConnection(socket, "403 Forbidden"));
  server.on("clientError", (_, socket) => refuseConnection(socket, "400 Bad Request"));
  const problem = await listenOnFirst(server, host, ports);
  if (problem !== undefined) return problem;
  server.on("error", (error) => options.onError(error, "a new connection")); // such as too many open files
  ({ port } = server.address() as AddressInfo); // it listens on a port, not on a pipe
  hosts = allowedHosts(host, port);
  return {
    host,
    port,
    origin: `http://${hostInUrl(localHost(host))}:${port}`,
    close: () =>
      new Promise((resolve) => {
        hub.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sets the headers of every answer, and answers a request that is refused. */
function prepare(request: IncomingMessage, response: ServerResponse, hosts: ReadonlySet<string>): Refusal | undefined {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  const refusal = refuseRequest(request, hosts);
  if (refusal === undefined) return undefined;
  response.writeHead(refusal.status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    Connection: "close", // the body of the request is not read
  });
  response.end(JSON.stringify({ problem: refusal.problem }));
  return refusal;
}

async function listenOnFirst(
  server: Server,
  host: string,
  ports: readonly number[],
): Promise<ListenProblem | undefined> {
  let problem: ListenProblem = { code: "", message: "no port was named" };
  for (const port of ports) {
    const failed = await listen(server, host, port);
    if (failed === undefined) return undefined;
    problem = failed;
    if (failed.code !== "EADDRINUSE" && failed.code !== "EACCES") return problem;
  }
  return problem;
}

function listen(server: Server, host: string, port: number): Promise<ListenProblem | undefined> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? "", message: error.message });
    server.once("error", onError);
    server.listen({ host, port }, () => {
      server.off("error", onError);
      resolve(undefined);
    });
  });
}
