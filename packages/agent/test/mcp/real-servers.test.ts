import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, type TestContext, test, vi } from "vitest";
import { bin, connected, scratch } from "./connected.ts";

const timeout = 60_000;

test("the filesystem server reads and writes files, and says what its tools do", { timeout }, async (context) => {
  const folder = scratch(context);
  await writeFile(join(folder, "a.txt"), "hello");
  const transport = { type: "stdio", command: bin("mcp-server-filesystem"), args: [folder] } as const;
  const { mcp, call } = await connected(context, [{ name: "fs", transport }]);
  expect(mcp.status()).toMatchObject([{ name: "fs", state: "ready", about: expect.stringContaining("filesystem") }]);
  expect(mcp.tools().find(({ name }) => name === "fs__read_text_file")).toMatchObject({
    origin: "external",
    kind: "read",
    isKindClaimed: true,
    description: expect.stringMatching(/^\[Tool of the MCP server "fs", in its own words\] /),
  });
  expect(mcp.tools().find(({ name }) => name === "fs__write_file")).toMatchObject({
    kind: "mutate",
    isDestructive: true,
  });
  expect(await call("fs__read_text_file", { path: join(folder, "a.txt") })).toEqual({ status: "ok", content: "hello" });
  expect(await call("fs__write_file", { path: join(folder, "b.txt"), content: "new" })).toMatchObject({ status: "ok" });
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe("new");
  expect(await call("fs__read_text_file", { path: "/etc/passwd" })).toMatchObject({
    status: "error",
    content: expect.stringContaining("outside allowed directories"),
  });
});

test("the memory server keeps what it is told, in the file that its environment names", {
  timeout,
}, async (context) => {
  const folder = scratch(context);
  const file = join(folder, "memory.json");
  const env = { MEMORY_FILE_PATH: file };
  const transport = { type: "stdio", command: bin("mcp-server-memory"), env } as const;
  const { call } = await connected(context, [{ name: "mem", transport, tools: ["*_entities", "read_*"] }]);
  const entities = [{ name: "Rex", entityType: "dog", observations: ["barks"] }];
  expect(await call("mem__create_entities", { entities })).toMatchObject({ status: "ok" });
  expect((await call("mem__read_graph")).content).toContain("barks");
  expect(await readFile(file, "utf8")).toContain("Rex");
  await expect(call("mem__create_relations")).rejects.toThrow("There is no tool");
});

async function checkEverything(context: TestContext, transport: Parameters<typeof connected>[1][number]["transport"]) {
  const { mcp, call } = await connected(context, [{ name: "all", transport, callTimeoutMs: 30_000 }]);
  expect(mcp.status()).toMatchObject([{ state: "ready", hasResources: true, hasPrompts: true }]);
  expect((await call("all__echo", { message: "hi" })).content).toContain("hi");
  expect((await call("all__get-tiny-image")).content).toContain("[image, image/png, 4 kB: not shown]");
  const weather = await call("all__get-structured-content", { location: "New York" });
  expect(JSON.parse(weather.content)).toMatchObject({ temperature: expect.any(Number) });
  const steps: string[] = [];
  const progress = (text: string) => void steps.push(text);
  await call("all__trigger-long-running-operation", { duration: 0.3, steps: 3 }, { progress });
  expect(steps).toContain("1/3\n");
  const [resource] = await mcp.resources("all");
  expect(await mcp.readResource("all", resource?.uri ?? "")).not.toBe("");
  expect((await call("mcp_list_resources")).content).toContain(resource?.uri);
  expect((await call("mcp_read_resource", { server: "all", uri: resource?.uri })).status).toBe("ok");
  expect((await mcp.prompts("all")).map(({ name }) => name)).toContain("args-prompt");
  expect(await mcp.getPrompt("all", "args-prompt", { city: "Oslo" })).toContain("Oslo");
  return { mcp, call };
}

test("the everything server over stdio: content, progress, resources and prompts", { timeout }, async (context) => {
  await checkEverything(context, { type: "stdio", command: bin("mcp-server-everything") });
});

test("a call that is aborted is cancelled at the server, which answers the next one", { timeout }, async (context) => {
  const transport = { type: "stdio", command: bin("mcp-server-everything") } as const;
  const { call } = await connected(context, [{ name: "all", transport }]);
  const stop = new AbortController();
  const progress = () => stop.abort();
  const long = { duration: 600, steps: 6_000 };
  const { status } = await call("all__trigger-long-running-operation", long, { signal: stop.signal, progress });
  expect(status).toBe("error");
  expect((await call("all__echo", { message: "still there" })).content).toContain("still there");
});

test("the everything server over streamable HTTP, also after it was restarted", { timeout }, async (context) => {
  const port = await freePort();
  const start = () => startEverything(context, port);
  const first = await start();
  const { call } = await checkEverything(context, { type: "http", url: `http://127.0.0.1:${port}/mcp` });
  first.kill("SIGKILL");
  await vi.waitFor(() => expect(first.signalCode).toBe("SIGKILL"), { timeout: 20_000 });
  expect(await call("all__echo", { message: "a" })).toMatchObject({
    status: "interrupted",
    content: expect.stringContaining("Outcome unknown"),
  });
  await start();
  expect((await call("all__echo", { message: "again" })).content).toContain("again");
});

async function startEverything({ onTestFinished }: TestContext, port: number) {
  const child = spawn(bin("mcp-server-everything"), ["streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  await vi.waitFor(() => expect(text).toContain("listening on port"), { timeout: 40_000 });
  return child;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
