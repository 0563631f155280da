import { fileURLToPath } from "node:url";
import { connectMcpServers } from "@sheepdog/agent/mcp";
import { expect, test } from "vitest";
import { packageRoot } from "../../../package-root.ts";
import { mcpCommand } from "./mcp-commands.ts";

const command = fileURLToPath(new URL("../../node_modules/.bin/mcp-server-everything", packageRoot));

test("/mcp shows servers, what one offers and a resource, and puts a prompt into the line", {
  timeout: 60_000,
}, async ({ onTestFinished }) => {
  const servers = [{ name: "all", transport: { type: "stdio", command } }] as const;
  const mcp = await connectMcpServers(servers, { workspace: process.cwd() });
  onTestFinished(() => mcp.close());
  await mcp.waitUntilReady(60_000);
  const typed = async (argument: string) => {
    const shown: string[] = [];
    const add = (text: string) => void shown.push(text);
    await mcpCommand(argument, { mcp, say: add, insert: (text) => add(`> ${text}`) });
    return shown.join("\n");
  };
  expect(await typed("")).toMatch(/^all\b.*13 tools/);
  const offers = await typed("all");
  const [, address = ""] = /(demo:\/\/\S+)/.exec(offers) ?? [];
  expect(offers).toContain("args-prompt");
  expect(await typed(`read all ${address}`)).not.toBe("");
  expect(await typed("prompt all args-prompt city=Oslo")).toMatch(/^> .*Oslo/);
  expect(await typed("read all demo://none")).toMatch(/not found|none/);
  expect(await typed("none")).toContain("Type /mcp");
});
