/** The tools of an MCP server in a run. The server is a package from npm; the model follows a script. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, createRuntime } from "@sheepdog/agent";
import { connectMcpServers } from "@sheepdog/agent/mcp";
import { scriptedModel } from "@sheepdog/agent/testing";

const workspace = mkdtempSync(join(tmpdir(), "sheepdog-example-"));
const script = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
const mcp = await connectMcpServers(
  [
    {
      name: "memory",
      transport: {
        type: "stdio",
        command: process.execPath,
        args: [script],
        env: { MEMORY_FILE_PATH: join(workspace, "graph.jsonl") },
      },
      tools: ["create_entities", "read_graph"],
      kinds: { read_graph: "read" }, // the user's word; what the server says about its tools is only a claim
    },
  ],
  { workspace },
);
await mcp.waitUntilReady(30_000);
console.log(mcp.tools().map(({ name }) => name));

const entities = [{ name: "Rex", entityType: "dog", observations: ["herds sheep"] }];
const model = scriptedModel([
  { calls: [{ tool: "memory__create_entities", input: { entities } }] },
  { calls: [{ tool: "memory__read_graph", input: {} }] },
  { text: "Done." },
]);
// There is no user to ask in this run, so a rule allows what the gate would ask about.
const rules = [{ tool: "memory__create_entities", decision: "allow" }] as const;
const gate = createGate({ attended: false, rules });
const run = createRuntime({ models: [model], changingTools: () => mcp.tools(), gate, workspace }).run(
  "ses_1",
  "Remember Rex.",
);

for await (const event of run)
  if (event.type === "ToolEnd") console.log(event.tool, event.status, event.content.includes("herds sheep"));
await mcp.close();
rmSync(workspace, { recursive: true });
