import { toolKinds } from "@sheepdog/guardian";
import { z } from "zod";
import { configKey } from "./config-key.ts";

const text = z.string().min(1);
const secs = z.int().min(1).max(2_147_483);

/** One server: a program with `command`, or an address with `url`. */
const server = z.strictObject({
  command: text.optional(),
  args: z.array(z.string()).optional(),
  env: z.record(text, z.string()).optional(),
  cwd: text.optional(),
  url: text.optional(),
  headers: z.record(text, z.string()).optional(),
  enabled: z.boolean().optional(),
  tools: z.array(text).optional(),
  deny_tools: z.array(text).optional(),
  kinds: z.record(text, z.enum(toolKinds)).optional(),
  trust_annotations: z.boolean().optional(),
  start_timeout_secs: secs.optional(),
  timeout_secs: secs.optional(),
  max_output_tokens: z.int().min(1).optional(),
});

/** A server as it stands in the configuration. Its variables (`${NAME}`) are expanded when it is started. */
export type McpServerSettings = z.output<typeof server>;

/** The keys of `[mcp]`. */
export const mcpKeys = z.strictObject({
  servers: configKey(
    z.record(text, server).default({}),
    "nothing",
    "MCP servers, each a table `[mcp.servers.<name>]` with a program (`command`, `args`, `env`, `cwd`) or an address " +
      "(`url`, `headers`). `tools` and `deny_tools` are globs of the tools that agents get, `kinds` says what tools " +
      'do (`{ "get_*" = "read" }`), and `trust_annotations = true` believes what the server says about that. ' +
      "`enabled = false` switches a server off. `start_timeout_secs` (30), `timeout_secs` and `max_output_tokens` " +
      "limit its start, its calls and their results.",
  ),
});
