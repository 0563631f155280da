import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { answersOf, createAttachedAgent, peer } from "./attached-agent.ts";

const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));
const [claude, gemini, opencode] = [peer("claude-code"), peer("gemini-command"), peer("opencode")];
const system = `${process.platform}-${process.arch}`;
const command = "cat missing.txt";
const timeout = 120_000; // each start takes some seconds, more on a busy machine

test.skipIf(!claude.isReady)(
  `claude reads what attach has written, and is as before after detach${claude.hint}`,
  { timeout },
  async (context) => {
    const agent = await createAttachedAgent(context, { tool: "Bash", input: { command } });
    const sheepdog = (...args: readonly string[]) => agent.run([process.execPath, bin, ...args]);
    const text = '{\r\n\t"permissions": {"allow": ["Bash"]}\r\n}';
    const settings = await agent.write(".claude/settings.json", text);
    expect(await sheepdog("attach", "claude", "--write")).toMatchObject({ code: 0 });
    const program = claude.path(`@anthropic-ai/claude-code-${system}/claude`);
    const env = {
      ANTHROPIC_BASE_URL: agent.server.url,
      ANTHROPIC_API_KEY: "key-1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    await agent.run([program, "--print", "read the notes"], env);
    expect(answersOf(agent.spool("claude-code"))).toContain("deny");
    const { out } = await sheepdog("attach", "status");
    expect(out).toMatch(/last fired .*; \d+ times, median [\d.]+ ms, p95 [\d.]+ ms\n {2}said: 1 hint/);
    const other = await agent.run([process.execPath, bin, "watch", "--", program, "--version"], env);
    expect(other).toMatchObject({ code: 0, out: expect.stringContaining("Claude Code") }); // no second --settings
    await sheepdog("detach", "--write");
    expect(readFileSync(settings, "utf8")).toBe(text);
  },
);

test.skipIf(!gemini.isReady)(
  `gemini reads what attach has written beside other hooks${gemini.hint}`,
  { timeout },
  async (context) => {
    const agent = await createAttachedAgent(context, { tool: "run_shell_command", input: { command } });
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      model: { disableLoopDetection: true },
      hooks: { BeforeTool: [{ hooks: [{ type: "command", command: `touch ${agent.folder}/theirs` }] }] },
    };
    await agent.write(".gemini/settings.json", `// mine\n${JSON.stringify(settings)}`);
    await agent.run([process.execPath, bin, "attach", "gemini", "--write"]);
    const program = gemini.path("@google/gemini-cli/bundle/gemini.js");
    const env = {
      GEMINI_API_KEY: "key-1",
      GOOGLE_GEMINI_BASE_URL: agent.server.url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    };
    const flags = ["--yolo", "--model", "gemini-2.5-pro", "--prompt", "read the notes"];
    await agent.run([process.execPath, program, ...flags], env);
    expect(answersOf(agent.spool("gemini-cli"))).toContain("deny");
    expect(existsSync(join(agent.folder, "theirs"))).toBe(true);
  },
);

test.skipIf(!opencode.isReady)(
  `opencode loads the plugin that attach has copied${opencode.hint}`,
  { timeout },
  async (context) => {
    const agent = await createAttachedAgent(context, { tool: "bash", input: { command, description: "Reads" } });
    const options = { baseURL: `${agent.server.url}/v1`, apiKey: "key-1" };
    const settings = {
      autoupdate: false,
      model: "local/model-1",
      small_model: "local/model-1",
      permission: { "*": "allow" },
      provider: {
        local: {
          npm: "@ai-sdk/openai-compatible",
          options,
          models: { "model-1": { limit: { context: 200_000, output: 8_000 } } },
        },
      },
    };
    await agent.run([process.execPath, bin, "attach", "opencode", "--write", "--observe"]);
    const plugin = readFileSync(join(agent.folder, ".config/opencode/plugins/sheepdog.js"), "utf8");
    expect(plugin).not.toMatch(/from "\./); // it is one file
    await agent.run([opencode.path(`opencode-${system}/bin/opencode`), "run", "go"], {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    });
    const spool = agent.spool("opencode");
    expect(answersOf(spool)).toEqual([]);
    expect(spool.filter(({ type }) => type === "intervention").length).toBeGreaterThan(0);
    await agent.run([process.execPath, bin, "detach", "--write"]);
    expect(existsSync(join(agent.folder, ".config/opencode/plugins"))).toBe(false);
  },
);
