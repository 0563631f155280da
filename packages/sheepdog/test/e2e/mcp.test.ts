import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

const timeout = 60_000;
const done = { text: "Done." };
const root = new URL("../../../../", import.meta.url);
const memoryServer = fileURLToPath(new URL("node_modules/.bin/mcp-server-memory", root));
const hostileServer = fileURLToPath(new URL("packages/agent/test/mcp/hostile-server.mjs", root));
const calls = (tool: string, input: Record<string, unknown> = {}) => ({ calls: [{ tool, input }] });

function addMemory({ run, home }: Sandbox, ...options: readonly string[]) {
  const env = `MEMORY_FILE_PATH=${join(home, "memory.json")}`;
  return run(["mcp", "add", "mem", "--env", env, ...options, "--", memoryServer]);
}

test.skipIf(!isBuilt)("the first example of docs/mcp.md works as it is written", { timeout }, async (context) => {
  const page = readFileSync(new URL("docs/mcp.md", root), "utf8");
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(page) ?? [];
  const lines = block.replaceAll("npx -y @modelcontextprotocol/server-memory", memoryServer);
  const sandbox = await createSandbox(context, [calls("memory__read_graph"), done]);
  const { code, out, err } = await sandbox.run([], {
    shell: `set -e\nnode=$1 bin=$2\nsheepdog() { "$node" "$bin" "$@"; }\n${lines}`,
  });
  expect([code, err]).toEqual([0, expect.stringContaining('the MCP server "memory" is removed')]);
  expect(out).toContain("memory: ready (memory-server 0.6.3), 9 tools, 1 resource");
  expect(out).toContain("Done.");
  expect(JSON.stringify(sandbox.server.requests[1]?.body)).toContain("the tool memory__read_graph");
});

test.skipIf(!isBuilt)("an option of the program never approves anything", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, []);
  const { code, err } = await sandbox.run(["mcp", "add", "h4", "npx", "-y", "some-server"]);
  expect([code, err]).toEqual([2, expect.stringContaining("put -- before the program: sheepdog mcp add h4 -- npx")]);
  expect((await sandbox.run(["mcp", "list"])).out).toContain("There are no MCP servers yet.");
});

test.skipIf(!isBuilt)(
  "a server that does not start can be corrected, and plain http is refused",
  { timeout },
  async (context) => {
    const sandbox = await createSandbox(context, []);
    const plain = await sandbox.run(["mcp", "add", "web", "--url", "http://example.org/mcp", "--no-test"]);
    expect([plain.code, plain.err]).toEqual([2, expect.stringContaining("must begin with https://")]);
    const failed = await sandbox.run(["mcp", "add", "mem", "--", "no-such-program"]);
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('"mem" is kept; correct it with --replace')]);
    expect((await addMemory(sandbox)).err).toContain("repeat this with --replace");
    expect((await addMemory(sandbox, "--replace", "--yes")).code).toBe(0);
    expect((await sandbox.run(["mcp", "list"])).out).toMatch(/^mem {2}\S+mcp-server-memory {2}9 approved tools\n$/);
  },
);

const toolNames = ({ server }: Sandbox, at: number) =>
  JSON.stringify(server.requests[at]?.body).match(/mem__\w+/g) ?? [];

test.skipIf(!isBuilt)("a server is added, approved and used", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [calls("mem__read_graph"), done]);
  const added = await addMemory(sandbox, "--trust-annotations", "--yes");
  expect([added.code, added.out]).toEqual([0, expect.stringContaining("Approved. Agents can call 9 tools")]);
  expect(readFileSync(join(sandbox.home, "config.toml"), "utf8")).toContain("[mcp.servers.mem]");
  expect((await sandbox.run(["mcp", "list"])).out).toMatch(/^mem {2}\S+mcp-server-memory {2}9 approved tools\n$/);
  expect((await sandbox.run(["mcp", "test"])).out).toContain("  mem__read_graph  read\n");
  expect(await sandbox.run(["run", "Look."])).toMatchObject({ code: 0, out: "Done.\n" });
  expect(toolNames(sandbox, 0)).toContain("mem__read_graph");
  const second = JSON.stringify(sandbox.server.requests[1]?.body);
  expect(second).toContain("the tool mem__read_graph");
  expect(second).toContain("entities");
  expect(JSON.parse((await sandbox.run(["doctor", "--json"])).out).checks).toContainEqual(
    expect.objectContaining({ name: "mcp", status: "ok" }),
  );
  expect((await sandbox.run(["mcp", "remove", "mem"])).code).toBe(0);
  expect((await sandbox.run(["mcp", "list"])).out).toContain("There are no MCP servers yet.");
});

test.skipIf(!isBuilt)("tools that nobody approved are left out, and the run says so", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [done]);
  const added = await addMemory(sandbox);
  expect([added.code, added.err]).toEqual([1, expect.stringContaining("there is no terminal to ask on")]);
  const { code, err } = await sandbox.run(["run", "Look."]);
  expect([code, err]).toEqual([0, expect.stringContaining('The MCP server "mem" has 9 new tools, which are left out')]);
  expect(toolNames(sandbox, 0)).toEqual([]);
});

test.skipIf(!isBuilt)(
  "a server that does not start, or lacks a variable, costs one line",
  { timeout },
  async (context) => {
    const sandbox = await createSandbox(context, [done]);
    await sandbox.run(["mcp", "add", "gone", "--no-test", "--", "no-such-program"]);
    const header = `X-Key=\${NOT_SET}`;
    await sandbox.run(["mcp", "add", "web", "--url", "https://example.org/mcp", "--header", header, "--no-test"]);
    const { code, err } = await sandbox.run(["run", "Look."]);
    expect(code).toBe(0);
    expect(err).toContain(
      'The MCP server "gone" did not start, and its tools are missing. The program "no-such-program"',
    );
    expect(err).toContain('The MCP server "web" is not used: the variable NOT_SET is not set');
  },
);

test.skipIf(!isBuilt)("a server of an untrusted project is not started", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [done]);
  const proof = join(sandbox.workspace, "proof");
  await sandbox.file("sheepdog.toml", `[mcp.servers.evil]\ncommand = "touch"\nargs = ["${proof}"]\n`);
  const { code, err } = await sandbox.run(["run", "Look."]);
  expect([code, err]).toEqual([0, expect.stringContaining("ignored: mcp.servers.evil")]);
  expect(existsSync(proof)).toBe(false);
});

test.skipIf(!isBuilt)("an agent cannot add or approve servers from its shell", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, []);
  for (const command of [["add", "x", "--", "id"], ["approve", "x"], ["import"], ["login", "x"]]) {
    const { code, err } = await sandbox.run(["mcp", ...command], { env: { SHEEPDOG_CALL: "mark" } });
    expect([code, err]).toEqual([2, expect.stringContaining("agents must not change their own limits")]);
  }
});

test.skipIf(!isBuilt || process.platform !== "linux")(
  "kill -9 of a run ends its servers",
  { timeout },
  async (context) => {
    const sandbox = await createSandbox(context, [calls("evil__look"), done]);
    const starts = join(sandbox.workspace, "starts");
    const server = ["--", process.execPath, hostileServer, "hangs", starts];
    expect((await sandbox.run(["mcp", "add", "evil", "--trust-annotations", "--yes", ...server])).code).toBe(0);
    const running = sandbox.start(["run", "--stream-json", "Look."]);
    await running.says('"ToolStart"');
    expect(isRunningWith(starts)).toBe(true);
    running.child.kill("SIGKILL");
    await running.ended;
    await vi.waitFor(() => expect(isRunningWith(starts)).toBe(false), { timeout: 20_000 });
  },
);

function isRunningWith(text: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`hangs\0${text}`);
    } catch {
      return false; // it has ended
    }
  });
}
