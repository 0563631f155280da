import { mkdir, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { Program } from "../../src/run-commands/spawn-run.ts";
import { createViewContext, type ServeOptions, serveHome } from "../../src/server/serve-home.ts";
import type { ViewContext } from "../../src/server/view-context.ts";
import { openTestHome, type TestHome } from "../test-home.ts";

/** What a request differs in from a GET without headers. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): unknown;
}

/** A server on a free port, for a home of its own. */
export interface TestServer {
  readonly testHome: TestHome;
  readonly port: number;
  readonly token: string;
  readonly origin: string;
  readonly problems: readonly string[];
  /** Sends a request without any header but `Host`. */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  /** The same with the token. */
  api(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** Sends bytes as they are, and resolves with everything that comes back until the connection ends. */
  raw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestServerOptions extends Partial<ServeOptions> {
  readonly program?: Program;
  readonly context?: Partial<ViewContext>;
}

/** Opens a home and serves it. Both end with the test. */
export async function startTestServer(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  folder: string,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const testHome = await openTestHome(folder);
  onTestFinished(() => testHome.close());
  return serveTestHome({ onTestFinished }, testHome, options);
}

/** Serves a home that is open already. */
export async function serveTestHome(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  testHome: TestHome,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const { home, stores, env } = testHome;
  const problems: string[] = [];
  const pagesFolder = await writePages(join(home.dir, "pages"));
  const context = { ...createViewContext({ home, stores }, { env, cwd: home.dir }), ...options.context };
  const served = await serveHome(context, {
    port: 0,
    pagesFolder,
    onProblem: (sentence) => problems.push(sentence),
    ...options,
  });
  if (!served.ok) throw new Error(served.problem);
  const { server, token } = served;
  const { port, origin } = server;
  let isOpen = true;
  const close = async () => {
    if (isOpen) await served.close();
    isOpen = false;
  };
  onTestFinished(close);
  const request: TestServer["request"] = (path, { method = "GET", headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        { host: server.host, port, path, method, headers: { ...headers } as Record<string, string>, agent: false },
        (incoming) => void readAnswer(incoming).then(resolve, reject),
      );
      sent.on("error", reject);
      sent.end(body);
    });
  const authorization = `Bearer ${token}`;
  const api: TestServer["api"] = (path, options = {}) =>
    request(path, { ...options, headers: { authorization, ...options.headers } });
  return {
    testHome,
    port,
    token,
    origin,
    problems,
    request,
    api,
    post: (path, body) =>
      api(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    raw: (bytes) => sendRaw(server.host, port, bytes),
    close,
  };
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: () => JSON.parse(text) as unknown };
}

function sendRaw(host: string, port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, host, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

async function writePages(folder: string): Promise<string> {
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Sheepdog</title>");
  await writeFile(join(folder, "assets", "index-4f2a.js"), "export {};");
  await writeFile(join(folder, "icon.svg"), "<svg/>");
  await writeFile(join(folder, "..", "secret.txt"), "not for the web");
  return folder;
}
