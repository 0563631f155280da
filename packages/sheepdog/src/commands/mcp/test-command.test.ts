import { dirname } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { testCommand } from "./test-command.ts";

const file = scratchFolder();

test("every name must be one of a server, and nothing is said about servers that are not named", async () => {
  const command = 'command = "no-such-program"';
  const token = `env = { TOKEN = "\${MISSING_TOKEN}" }`;
  const toml = ["[mcp.servers.gh]", command, "[mcp.servers.other]", command, token, ""].join("\n");
  const home = dirname(await file("home/config.toml", toml));
  const io = () => fakeIo({ cwd: home, env: { SHEEPDOG_HOME: home, PATH: home } });
  const unknown = io();
  expect(await testCommand(["gh", "other", "none"], {}, unknown)).toBe(2);
  expect(unknown.err()).toContain('there is no MCP server "none"; there are gh, other');
  const named = io();
  expect(await testCommand(["gh"], {}, named)).toBe(1);
  expect(named.out()).toContain("gh: failed");
  expect(named.out() + named.err()).not.toMatch(/other|MISSING_TOKEN/);
});
