import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { isBuilt } from "../is-built.ts";
import { type AttachedAgent, answersOf, createAttachedAgent, peer } from "./attached-agent.ts";

const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));
const [claude, codex, opencode] = [peer("claude-code"), peer("codex"), peer("opencode")];
const system = `${process.platform}-${process.arch}`;
const command = "cat missing.txt";
const timeout = 120_000; // each start takes some seconds, more on a busy machine

/** `sheepdog watch` in a terminal that is a pipe. */
function watch(
  agent: AttachedAgent,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ReturnType<AttachedAgent["run"]> {
  return agent.run([process.execPath, bin, "watch", ...words], env);
}

/** Where our hooks would be written if the settings were changed. */
function expectNothingWritten({ folder }: AttachedAgent): void {
  const settings = [".claude/settings.json", "codex/hooks.json", ".gemini/settings.json", ".config/opencode/plugins"];
  for (const file of settings) {
    const path = join(folder, file);
    if (existsSync(path)) expect(readFileSync(path, "utf8")).not.toContain("sheepdog-hook");
  }
  expect(existsSync(join(folder, "sheepdog/attach/attached.json"))).toBe(false);
}

test.skipIf(!claude.isReady)(
  `watch -- claude: the loop is ended, and the end says so${claude.hint}`,
  async (context) => {
    const agent = await createAttachedAgent(context, { tool: "Bash", input: { command } });
    const program = claude.path(`@anthropic-ai/claude-code-${system}/claude`);
    const words = ["--", program, "--print", "read the notes", "--allowedTools", "Bash"];
    const { err } = await watch(agent, words, {
      ANTHROPIC_BASE_URL: agent.server.url,
      ANTHROPIC_API_KEY: "key-1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      IS_SANDBOX: "1",
    });
    expect(err).toMatch(/^sheepdog: watched Claude Code for \d+ s: \d+ turns, \d+ calls/m);
    expect(err).toMatch(/the guardian gave \d+ hints?, .*refusal/);
    expect(err).toMatch(/saved: \d+ calls? not executed/);
    expect(answersOf(agent.spool("claude-code"))).toContain("deny");
    expectNothingWritten(agent);
  },
);

test.skipIf(!codex.isReady)(
  `watch --observe -- codex: only observes; our hooks are trusted, and no others${codex.hint}`,
  { timeout },
  async (context) => {
    const agent = await createAttachedAgent(context, { tool: "exec_command", input: { cmd: command } });
    const config = [
      'model = "gpt-5"',
      'model_provider = "local"',
      "[model_providers.local]",
      'name = "local"',
      `base_url = "${agent.server.url}/v1"`,
      'wire_api = "responses"',
      'env_key = "LOCAL_KEY"',
    ];
    await agent.write("codex/config.toml", config.join("\n"));
    const theirs = { hooks: [{ type: "command", command: `touch ${agent.folder}/untrusted` }] };
    await agent.write("codex/hooks.json", JSON.stringify({ hooks: { PreToolUse: [theirs] } }));
    const program = codex.path(".bin/codex");
    const flags = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    const env = { CODEX_HOME: join(agent.folder, "codex"), LOCAL_KEY: "key-1" };
    const { err } = await watch(agent, ["--observe", "--", program, ...flags, "go"], env);
    expect(err).toContain("the guardian said nothing");
    expect(err).toMatch(/it would have given 1 hint/);
    expect(answersOf(agent.spool("codex"))).toEqual([]);
    expect(existsSync(join(agent.folder, "untrusted"))).toBe(false);
    expectNothingWritten(agent);
  },
);

test.skipIf(!opencode.isReady)(
  `watch -- opencode: has our plugin for one run${opencode.hint}`,
  { timeout },
  async (context) => {
    const agent = await createAttachedAgent(context, { tool: "bash", input: { command, description: "Reads" } });
    const options = { baseURL: `${agent.server.url}/v1`, apiKey: "key-1" };
    const models = { "model-1": { limit: { context: 200_000, output: 8_000 } } };
    const settings = {
      autoupdate: false,
      model: "local/model-1",
      small_model: "local/model-1",
      permission: { "*": "allow" },
      provider: { local: { npm: "@ai-sdk/openai-compatible", options, models } },
    };
    const program = opencode.path(`opencode-${system}/bin/opencode`);
    const { err } = await watch(agent, ["--", program, "run", "go"], {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    });
    expect(err).toMatch(/the guardian gave .*refusal/);
    expect(answersOf(agent.spool("opencode"))).toContain("deny");
    expectNothingWritten(agent);
  },
);

test.skipIf(!isBuilt)("arguments, exit code and standard output are those of the program", async (context) => {
  const agent = await createAttachedAgent(context, { tool: "none", input: {} });
  const program = join(agent.folder, "codex");
  writeFileSync(program, '#!/bin/sh\nfor each in "$@"; do echo "<$each>"; done\nexit 7\n', { mode: 0o755 });
  const { code, out, err } = await watch(agent, ["--", program, "-c", "a b", "--observe", "--", "$HOME"]);
  expect(code).toBe(7);
  expect(out).toMatch(/<-c>\n<a b>\n<--observe>\n<-->\n<\$HOME>\n$/);
  expect(err).toContain("no hook of Codex has fired");
});

test.skipIf(!isBuilt).each([
  [["--", "cursor"], "which Cursor is not; use: sheepdog attach cursor"],
  [["--", "vim"], '"vim" is none of the programs claude, codex, gemini and opencode'],
  [["--", "./codex"], "./codex cannot be started: there is no such program"],
  [["--", "claude", "--settings", "{}"], "claude takes --settings once"],
])("watch %j is refused", async (words, sentence) => {
  const agent = await createAttachedAgent({ onTestFinished: () => {} }, { tool: "none", input: {} });
  expect(await watch(agent, words)).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
  await agent.server.close();
});
