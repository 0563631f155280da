import { defineConfig } from "tsdown";

const shared = {
  format: "esm",
  platform: "node",
  target: "node20",
  fixedExtension: false,
  clean: true,
  sourcemap: false,
} as const;

/** The client of the MCP SDK and its dependencies, except zod, which is a dependency of ours. */
const mcpClient = [
  ...["@modelcontextprotocol/client", "@modelcontextprotocol/core", "eventsource", "eventsource-parser"],
  ...["jose", "pkce-challenge", "cross-spawn", "path-key", "shebang-command", "shebang-regex", "which", "isexe"],
];

/** Each package is built from its public entries; imports of other packages stay imports. */
export default defineConfig([
  {
    ...shared,
    cwd: "packages/guardian",
    entry: {
      index: "src/index.ts",
      presets: "src/policy/presets.ts",
      explain: "src/explain.ts",
      "opinion/index": "src/opinion/index.ts",
      "secrets/index": "src/secrets/index.ts",
      "seeds/index": "src/seeds/index.ts",
      "testing/index": "src/testing/index.ts",
    },
    platform: "neutral",
    dts: true,
  },
  {
    ...shared,
    cwd: "packages/records",
    entry: { index: "src/index.ts", "follow/index": "src/follow/index.ts", "platform/index": "src/platform/index.ts" },
    dts: true,
  },
  {
    ...shared,
    cwd: "packages/agent",
    entry: {
      index: "src/index.ts",
      "timeline/index": "src/timeline/index.ts",
      "mcp/index": "src/mcp/index.ts",
      "opentelemetry/index": "src/opentelemetry/index.ts",
      "testing/index": "src/testing/index.ts",
    },
    dts: true,
    // One of its encodings is used, 2 MB of 30. It stays a file of its own, loaded when tokens are counted.
    // The client of MCP with what it needs is loaded when a server is configured.
    deps: { onlyBundle: ["gpt-tokenizer", ...mcpClient] },
  },
  {
    ...shared,
    cwd: "packages/integrations",
    entry: {
      index: "src/index.ts",
      "hooks/index": "src/hooks/index.ts",
      opencode: "src/opencode/plugin.ts",
      "ai-sdk/index": "src/ai-sdk/index.ts",
      "mcp-proxy/index": "src/mcp-proxy/index.ts",
      "claude-agent-sdk/index": "src/claude-agent-sdk/index.ts",
      "langchain/index": "src/langchain/index.ts",
      "langgraph/index": "src/langgraph/index.ts",
      "mastra/index": "src/mastra/index.ts",
      "openai-agents/index": "src/openai-agents/index.ts",
    },
    dts: true,
  },
  {
    ...shared,
    cwd: "packages/sheepdog",
    entry: { cli: "src/cli.ts" },
    dts: false,
    // The production build of React; the other one is left out.
    deps: { neverBundle: ["react-devtools-core"] },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    // The ES modules of OpenTelemetry's packages, of which unused parts are left out.
    inputOptions: { resolve: { mainFields: ["module", "main"] } },
    outputOptions: {
      codeSplitting: {
        groups: [
          // Modules needed at every start are one file, with commander: each further file delays the start by 1 ms.
          { name: "start", tags: ["$initial"] },
          // Loaded when the change of a file is shown.
          { name: "diff", test: /[\\/]node_modules[\\/]diff[\\/]/ },
          // Loaded by `mcp-server`.
          { name: "mcp-server", test: /[\\/]node_modules[\\/]@modelcontextprotocol[\\/]/ },
          // Loaded by `serve`.
          { name: "hono", test: /[\\/]node_modules[\\/]@?hono[\\/]/ },
          // Loaded if runs are exported to a collector.
          { name: "opentelemetry", test: /[\\/]node_modules[\\/]@opentelemetry[\\/]/ },
          // Loaded when people's answers are read, and when a mail is sent.
          { name: "ws", test: /[\\/]node_modules[\\/]ws[\\/]/ },
          { name: "nodemailer", test: /[\\/]node_modules[\\/]nodemailer[\\/]/ },
          // Ink with everything it needs, except its developer tools; only chat loads it.
          { name: "ink", test: /[\\/]node_modules[\\/](?!ink[\\/]build[\\/]devtools)/ },
        ],
      },
    },
    onSuccess: "node ../../scripts/render-help.mjs && node ../../scripts/build-hook.mjs",
  },
]);
