import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
async function connect(server: readonly string[], { proxyArgs = [], config }: ConnectOptions = {}) {
  if (config !== undefined) await writeFile(join(folder, "config.toml"), config);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp-proxy", ...proxyArgs, "--", ...server],
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
    expect(
      answers.slice(5).map(({ texts }) => texts.join().includes("ENOENT: no such file or directory, open")),
    ).toEqual([false, false, false]);
    const other = await call("list_directory", { path: folder });
    expect(other).toEqual({ isError: true, texts: [expect.stringContaining("Every further call to this server")] });
    expect(log()).toMatch(/sheepdog: hint: This exact call/);
    expect(log()).toMatch(/sheepdog: halt: /);
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
    expect(log()).toMatch(/sheepdog: would have been a halt: /);
  });

  test("the policy is that of the configuration, and a wrong configuration leaves the server working", async () => {
    const strict = await connect(files(), {
      config: "[agent.guardian.detectors]\nfailing-call = { hint = 2, warn = 2, block = 2, halt = 3 }\n",
    });
    await strict.call("read_text_file", missing());
    await strict.call("read_text_file", missing());
    expect((await strict.call("read_text_file", missing())).texts[0]).not.toMatch(/^ENOENT/);
    const wrong = await connect(files(), { config: "[agent]\nmax_turn = 3\n" });
    expect((await wrong.call("list_directory", { path: folder })).isError).toBe(false);
    expect(wrong.log()).toContain("the default policy is used, because the configuration is wrong");
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
    expect(steps).toEqual([1, 2, 3, 4]);
    const controller = new AbortController();
    const long = { name: "trigger-long-running-operation", arguments: { duration: 30, steps: 60 } };
    const cancelled = client.callTool(long, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 200);
    await expect(cancelled).rejects.toThrow();
    expect((await call("echo", { message: "still there" })).texts[0]).toContain("still there");
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
