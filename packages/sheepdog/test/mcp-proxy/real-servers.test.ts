import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bin, isBuilt } from "../e2e/sandbox.ts";

const programOf = (name: string) => fileURLToPath(new URL(`../../../../node_modules/.bin/${name}`, import.meta.url));

let folder = "";
let closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sheepdog-"));
});
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
  await rm(folder, { recursive: true });
});

interface ConnectOptions {
  readonly proxyArgs?: readonly string[];
  readonly config?: string;
}

/** Connects the client of the official SDK with a server behind the proxy. */
async function connect(server: readonly string[], options: ConnectOptions = {}) {
  return connectThrough(["--", ...server], options);
}

/** Connects the client with what these arguments of the proxy name. */
async function connectThrough(server: readonly string[], { proxyArgs = [], config }: ConnectOptions = {}) {
  if (config !== undefined) await writeFile(join(folder, "config.toml"), config);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp-proxy", ...proxyArgs, ...server],
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, SHEEPDOG_HOME: folder },
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8");
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  closing.push(() => client.close());
  async function call(name: string, args: Record<string, unknown>) {
    const { content, isError } = (await client.callTool({ name, arguments: args })) as {
      readonly content: readonly { readonly type: string; readonly text?: string }[];
      readonly isError?: boolean;
    }; // by the protocol
    return { texts: content.map(({ type, text }) => text ?? type), isError: isError === true };
  }
  return { client, call, log: () => log };
}

describe.skipIf(!isBuilt)("a server behind the proxy", { timeout: 60_000 }, () => {
  const files = () => [programOf("mcp-server-filesystem"), folder];
  const missing = () => ({ path: join(folder, "missing.txt") });

  test("a looping client gets a hint, then refusals, and in the end every call is refused", async () => {
    const { call, log } = await connect(files());
    const answers = [];
    for (let turn = 0; turn < 8; turn++) answers.push(await call("read_text_file", missing()));
    expect(answers.every(({ isError }) => isError)).toBe(true);
    expect(answers.slice(0, 2).map(({ texts }) => texts)).toEqual(Array(2).fill([expect.stringMatching(/^ENOENT/)]));
    expect(answers[2]?.texts).toEqual([
      expect.stringMatching(/^ENOENT/),
      expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "read_text_file" has failed 3 times/),
    ]);
    expect(answers.map(({ texts }) => texts[0]?.startsWith("ENOENT"))).toEqual([
      ...Array(5).fill(true),
      ...Array(3).fill(false),
    ]);
    const other = await call("list_directory", { path: folder });
    expect(other).toEqual({ isError: true, texts: [expect.stringContaining("Every further call to this server")] });
    await vi.waitFor(() => expect(log()).toMatch(/sheepdog: hint: This exact call/));
    await vi.waitFor(() => expect(log()).toMatch(/sheepdog: halt: /));
  });

  test("a client that polls a changing status is left alone", async () => {
    const { call, log } = await connect(files());
    const path = join(folder, "status.txt");
    for (let percent = 0; percent < 15; percent++) {
      await writeFile(path, `${percent * 6} % done`);
      expect(await call("read_text_file", { path })).toEqual({ isError: false, texts: [`${percent * 6} % done`] });
    }
    expect(log()).not.toContain("sheepdog:");
  });

  test("in observe mode nothing changes, and the log has what would have been done", async () => {
    const { call, log } = await connect(files(), { proxyArgs: ["--observe"] });
    for (let turn = 0; turn < 12; turn++)
      expect((await call("read_text_file", missing())).texts).toEqual([expect.stringMatching(/^ENOENT/)]);
    await vi.waitFor(() => expect(log()).toMatch(/sheepdog: would have been a halt: /));
  });

  test("the policy is that of the configuration, and a wrong configuration leaves the server working", async () => {
    const strict = await connect(files(), {
      config: "[agent.guardian.detectors]\nfailing-call = { hint = 2, warn = 3, block = 4, halt = 5 }\n",
    });
    await strict.call("read_text_file", missing());
    expect((await strict.call("read_text_file", missing())).texts[1]).toContain("has failed 2 times");
    const wrong = await connect(files(), { config: "[agent]\nmax_turn = 3\n" });
    expect((await wrong.call("list_directory", { path: folder })).isError).toBe(false);
    await vi.waitFor(() => expect(wrong.log()).toContain("The configuration has a mistake: "));
  });

  test("everything else of a server works: progress, parallel calls, cancelling, resources and prompts", async () => {
    const { client, call } = await connect([programOf("mcp-server-everything"), "stdio"]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    expect((await client.listResources()).resources.length).toBeGreaterThan(0);
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    const texts = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => (await call("echo", { message: `m${index}` })).texts[0]),
    );
    expect(texts).toEqual(Array.from({ length: 10 }, (_, index) => expect.stringContaining(`m${index}`)));
    const steps: number[] = [];
    await client.callTool(
      { name: "trigger-long-running-operation", arguments: { duration: 1, steps: 4 } },
      { onprogress: ({ progress }) => void steps.push(progress) },
    );
    expect(steps.slice(0, 3)).toEqual([1, 2, 3]); // the client may drop one that comes together with the result
    const controller = new AbortController();
    const long = { name: "trigger-long-running-operation", arguments: { duration: 30, steps: 60 } };
    const cancelled = client.callTool(long, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 200);
    await expect(cancelled).rejects.toThrow();
    expect((await call("echo", { message: "still there" })).texts[0]).toContain("still there");
  });

  test("a server over streamable HTTP is guarded in the same way, with its progress and its errors", async () => {
    const port = await freePort();
    const server = spawn(programOf("mcp-server-everything"), ["streamableHttp"], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    closing.push(async () => void server.kill("SIGKILL"));
    let text = "";
    server.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    await vi.waitFor(() => expect(text).toContain("listening on port"), { timeout: 40_000 });
    const { client, call, log } = await connectThrough(["--url", `http://127.0.0.1:${port}/mcp`]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const answers = [];
    for (let turn = 0; turn < 8; turn++) answers.push(await call("echo", { message: 3 }));
    expect(answers[2]?.texts.at(-1)).toContain("has failed 3 times");
    expect(answers[7]?.texts).toEqual([expect.stringContaining("Every further call to this server is refused")]);
    server.kill("SIGKILL");
    await new Promise((resolve) => server.once("close", resolve));
    await expect(client.listPrompts()).rejects.toThrow(/fetch failed/);
    await vi.waitFor(() => expect(log()).toContain("sheepdog: the server did not take a message: "));
  });

  test("a command line that names no server, or two, is refused", async () => {
    const problemOf = async (...argv: string[]) => {
      const child = spawn(process.execPath, [bin, "mcp-proxy", ...argv], { env: { HOME: folder }, stdio: "pipe" });
      let err = "";
      child.stderr.on("data", (chunk: Buffer) => {
        err += chunk.toString("utf8");
      });
      expect(await new Promise((resolve) => child.once("close", resolve))).toBe(2);
      return err.replace("sheepdog: ", "").trimEnd();
    };
    expect(await problemOf()).toBe("name the server: sheepdog mcp-proxy -- <server command>, or --url <address>");
    expect(await problemOf("--url", "ftp://a")).toContain('--url is "ftp://a"; it must be an address');
    expect(await problemOf("--url", "http://a", "--", "npx")).toBe('there are two servers, --url and "npx"; name one');
    expect(await problemOf("--url", "http://a", "--header", `A=$${"{GONE}"}`)).toContain("needs the variable GONE");
    expect(await problemOf("--header", "A=b", "--", "npx")).toBe("--header needs --url; a command has none");
  });

  test("the process ends with its host, and says what cannot be started", async () => {
    const run = async (...server: string[]) => {
      const child = spawn(process.execPath, [bin, "mcp-proxy", "--", ...server], {
        env: { PATH: process.env["PATH"] ?? "", HOME: folder, SHEEPDOG_HOME: folder },
      });
      let err = "";
      child.stderr.on("data", (chunk: Buffer) => {
        err += chunk.toString("utf8");
      });
      child.stdin.end();
      const code = await new Promise((resolve) => child.once("close", resolve));
      return { code, err };
    };
    expect(await run(programOf("mcp-server-everything"), "stdio")).toMatchObject({ code: 0 });
    expect(await run("no-such-program")).toEqual({
      code: 2,
      err: 'sheepdog: the server cannot be started: there is no program "no-such-program"\n',
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
