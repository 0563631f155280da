import type { WireFormatName } from "../../../packages/agent/dist/testing/index.js";
import { baseline, claudeCode, codex, geminiCli, opencode, ours, type Program, pi } from "../programs.ts";
import { prompt, type ReadTool } from "./notes.ts";

/** An agent CLI that runs a prompt to its answer against a server of the caller's. */
export interface Agent {
  readonly name: string;
  readonly program: Program;
  readonly format: WireFormatName;
  readonly read: ReadTool;
  /** What it takes to make one run against the server at `url`. */
  setup(url: string): Setup;
}

export interface Setup {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files of its home folder, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const key = "no-key-needed";

const models = {
  "anthropic-messages": "claude-sonnet-4-5",
  "openai-responses": "gpt-5",
  "openai-chat": "local-model",
  gemini: "gemini-2.5-flash",
} as const satisfies Record<WireFormatName, string>;

/** Other agents. Each has its telemetry and updates turned off, by its own settings. */
export const peerAgents: readonly Agent[] = [
  {
    name: pi.name,
    program: pi,
    format: "anthropic-messages",
    read: { tool: "read", input: (path) => ({ path }) },
    setup: (url) => ({
      args: ["--provider", "anthropic", "--model", models["anthropic-messages"], "--print", prompt],
      env: { ANTHROPIC_API_KEY: key, PI_OFFLINE: "1", PI_TELEMETRY: "0" },
      files: { ".pi/agent/models.json": JSON.stringify({ providers: { anthropic: { baseUrl: url } } }) },
    }),
  },
  {
    name: claudeCode.name,
    program: claudeCode,
    format: "anthropic-messages",
    read: { tool: "Read", input: (path) => ({ file_path: path }) },
    setup: (url) => ({
      args: ["--model", models["anthropic-messages"], "--print", prompt],
      env: {
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_TELEMETRY: "1",
        DISABLE_ERROR_REPORTING: "1",
        DISABLE_AUTOUPDATER: "1",
      },
      files: {},
    }),
  },
  {
    name: codex.name,
    program: codex,
    format: "openai-responses",
    read: { tool: "exec_command", input: (path) => ({ cmd: `cat ${path}` }) }, // it has no tool that only reads
    setup: (url) => ({
      args: ["exec", "--skip-git-repo-check", prompt],
      env: { OPENAI_API_KEY: key },
      files: {
        ".codex/config.toml": [
          `model = "${models["openai-responses"]}"`,
          'model_provider = "local"',
          "check_for_update_on_startup = false",
          "[analytics]",
          "enabled = false",
          "[model_providers.local]",
          'name = "local"',
          `base_url = "${url}/v1"`,
          'env_key = "OPENAI_API_KEY"',
          'wire_api = "responses"',
        ].join("\n"),
      },
    }),
  },
  {
    name: geminiCli.name,
    program: geminiCli,
    format: "gemini",
    read: { tool: "read_file", input: (path) => ({ file_path: path }) },
    setup: (url) => ({
      args: ["--model", models.gemini, "--prompt", prompt],
      env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
      files: {
        ".gemini/settings.json": JSON.stringify({
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        }),
      },
    }),
  },
  {
    name: opencode.name,
    program: opencode,
    format: "openai-chat",
    read: { tool: "read", input: (path) => ({ filePath: path }) },
    setup: (url) => ({
      args: ["run", "--title", "notes", prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
      files: {
        ".config/opencode/opencode.json": JSON.stringify({
          autoupdate: false,
          share: "disabled",
          model: `local/${models["openai-chat"]}`,
          small_model: `local/${models["openai-chat"]}`,
          provider: {
            local: {
              npm: "@ai-sdk/openai-compatible",
              name: "local",
              options: { baseURL: `${url}/v1`, apiKey: key },
              models: { [models["openai-chat"]]: { name: models["openai-chat"] } },
            },
          },
        }),
      },
    }),
  },
];

/** Sheepdog once for each wire format, so that a peer is compared with a run in the peer's own format. */
export const ourAgents: readonly Agent[] = [...new Set(peerAgents.map(({ format }) => format))].map((format) =>
  sheepdogAgent(ours, format),
);

/** The other build, in one format. */
export const baselineAgent: Agent | undefined =
  baseline === undefined ? undefined : sheepdogAgent(baseline, "anthropic-messages");

const sheepdogProviders = {
  "anthropic-messages": { provider: "anthropic", path: "/v1", keyVariable: "ANTHROPIC_API_KEY" },
  "openai-responses": { provider: "openai", path: "/v1", keyVariable: "OPENAI_API_KEY" },
  "openai-chat": { provider: "openai-compatible", path: "/v1", keyVariable: "OPENAI_API_KEY" },
  gemini: { provider: "google", path: "/v1beta", keyVariable: "GEMINI_API_KEY" },
} as const satisfies Record<WireFormatName, object>;

function sheepdogAgent(program: Program, format: WireFormatName): Agent {
  return {
    name: `${program.name}, ${format}`,
    program,
    format,
    read: { tool: "read", input: (path) => ({ path }) },
    setup(url) {
      const { provider, path, keyVariable } = sheepdogProviders[format];
      const config = [
        "[model]",
        `provider = "${provider}"`,
        `model_id = "${models[format]}"`,
        `base_url = "${url}${path}"`,
      ];
      return {
        args: ["run", prompt],
        env: { [keyVariable]: key },
        files: { ".sheepdog/config.toml": config.join("\n") },
      };
    },
  };
}
