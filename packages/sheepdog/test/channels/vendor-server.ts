import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, type TestContext } from "vitest";

/** A request as a vendor's server reads it. */
export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer of a vendor. `hang`: the server never answers. */
export type VendorAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | "hang";

export interface VendorServer {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly requests: VendorRequest[];
  /** Answers that are given before the usual ones, in their order. */
  readonly next: VendorAnswer[];
  /** The requests to a path. */
  to(path: string): readonly VendorRequest[];
}

/** The test that a server is for. Tests that run at the same time have to name it. */
export type ServedTest = Pick<TestContext, "onTestFinished">;

/** Starts a server on the loopback address that records every request. It is closed after the test. */
export async function startVendorServer(
  answer: (request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>,
  served: ServedTest = { onTestFinished },
): Promise<VendorServer> {
  const requests: VendorRequest[] = [];
  const next: VendorAnswer[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const planned = request.method === "POST" && isMessage(request.path) ? next.shift() : undefined;
    const given = planned ?? (await answer(request));
    if (given === "hang") return;
    const { status = 200, headers = {}, json, text } = given;
    response.writeHead(status, { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers });
    response.end(json === undefined ? (text ?? "") : JSON.stringify(json));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  served.onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    requests,
    next,
    to: (path) => requests.filter((request) => request.path.endsWith(path)),
  };
}

/** Planned answers are for messages, not for the polling beside them. */
function isMessage(path: string): boolean {
  return !/getUpdates|connections\.open|callback$/.test(path);
}

async function readRequest(incoming: IncomingMessage): Promise<VendorRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  const url = new URL(incoming.url ?? "/", "http://localhost");
  return {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    text,
    body: parse(text),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
