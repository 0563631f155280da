import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { importCommand } from "./import-command.ts";

const secret = `ghp_${"a1B2c3".repeat(6)}`;
const reference = (name: string) => `\${${name}}`;

function world(onTestFinished: (end: () => void) => void, files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sheepdog-import-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const work = join(folder, "work");
  mkdirSync(work);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text.replaceAll("WORK", work));
  }
  const io = () => fakeIo({ cwd: work, env: { HOME: folder, SHEEPDOG_HOME: join(folder, "home") } });
  return { io, config: () => readFileSync(join(folder, "home/config.toml"), "utf8") };
}

test("servers of other agents are shown, and written only if the user asks", async ({ onTestFinished }) => {
  const { io, config } = world(onTestFinished, {
    "work/.mcp.json": JSON.stringify({
      mcpServers: {
        files: { command: "npx", args: ["-y", "server-files", "$HOME"], env: { TOKEN: reference("TOKEN") } },
        web: { type: "http", url: "https://example.org/mcp", headers: { Authorization: `Bearer ${secret}` } },
        old: { type: "sse", url: "https://example.org/sse" },
      },
    }),
    ".claude.json": JSON.stringify({
      mcpServers: { mine: { command: "mine" } },
      projects: {
        WORK: { mcpServers: { here: { command: "here" } } },
        "/else": { mcpServers: { no: { command: "no" } } },
      },
    }),
    ".codex/config.toml": [
      '[mcp_servers."issue tracker"]',
      'url = "https://issues.example.org/mcp"',
      'bearer_token_env_var = "ISSUES"',
      'enabled_tools = ["search"]',
      "startup_timeout_sec = 12.5",
      "[mcp_servers.off]",
      'command = "off"',
      "enabled = false",
    ].join("\n"),
    ".gemini/settings.json": JSON.stringify({
      mcpServers: {
        g: { httpUrl: "https://g.example.org", headers: { "X-Key": "$G_KEY" }, timeout: 1_500, trust: true },
      },
    }),
    ".cursor/mcp.json": JSON.stringify({ mcpServers: { mine: { command: "another" } } }),
  });
  const shown = io();
  expect(await importCommand([], {}, shown)).toBe(0);
  expect(shown.out()).toContain('[mcp.servers.files]\ncommand = "npx"\nargs = ["-y", "server-files", "$HOME"]\n');
  expect(shown.out()).toContain("# Authorization is a secret in plain text");
  expect(shown.out() + shown.err()).not.toContain(secret);
  expect(shown.err()).toContain('"old" is left out: it uses SSE');
  expect(shown.err()).toContain("nothing is written");
  expect(config).toThrow("ENOENT");

  expect(await importCommand([], { write: true }, io())).toBe(0);
  const written = config();
  expect(written.match(/^\[mcp\.servers\.[\w-]+\]$/gm)).toEqual([
    ...["[mcp.servers.files]", "[mcp.servers.web]", "[mcp.servers.mine]", "[mcp.servers.here]"],
    ...["[mcp.servers.issue-tracker]", "[mcp.servers.off]", "[mcp.servers.g]"],
  ]);
  expect(written).toContain(`Authorization = "Bearer ${reference("ISSUES")}"`);
  expect(written).toContain(`X-Key = "${reference("G_KEY")}"`);
  expect(written).toContain('tools = ["search"]\nstart_timeout_secs = 13');
  expect(written).toContain("timeout_secs = 2");
  expect(written).toContain('command = "off"\nenabled = false');
  expect(written).not.toContain("trust");

  const again = io();
  expect(await importCommand([], { write: true }, again)).toBe(0);
  expect(again.err()).toContain("no MCP servers were found that are not configured already");
});

test("files that cannot be read are named", async ({ onTestFinished }) => {
  const { io } = world(onTestFinished, { "work/.mcp.json": "{", "work/list.json": "[1]" });
  const told = io();
  expect(await importCommand([".mcp.json", "list.json", "none.json"], {}, told)).toBe(2);
  expect(told.err()).toContain(".mcp.json: it is not valid JSON");
  expect(told.err()).toContain("none.json: there is no such file");
});
