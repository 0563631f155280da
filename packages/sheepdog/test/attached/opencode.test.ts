import { readFile } from "node:fs/promises";
import type { ScriptedCall } from "@sheepdog/agent/testing";
import { expect, type TestContext, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { isBuilt } from "../is-built.ts";
import { type AttachedAgent, answersOf, createAttachedAgent, peer, usageOf } from "./attached-agent.ts";

const opencode = peer("opencode");
const plugin = new URL("../integrations/dist/opencode.js", packageRoot);
const program = opencode.path(`opencode-${process.platform}-${process.arch}/bin/opencode`);

/** `opencode run` with our plugin, and a provider that is a local server. */
async function createOpencode(context: TestContext, call: ScriptedCall): Promise<AttachedAgent> {
  const agent = await createAttachedAgent(context, call);
  await agent.attach("opencode");
  const settings = {
    autoupdate: false,
    share: "disabled",
    model: "local/model-1",
    small_model: "local/model-1",
    permission: { "*": "allow" },
    provider: {
      local: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${agent.server.url}/v1`, apiKey: "key-1" },
        models: {
          "model-1": { cost: { input: 3, output: 15, cache_read: 0.3 }, limit: { context: 200_000, output: 8_000 } },
        },
      },
    },
  };
  await agent.write(".config/opencode/opencode.json", JSON.stringify(settings));
  return agent;
}

function runOpencode(agent: AttachedAgent): ReturnType<AttachedAgent["run"]> {
  return agent.run([program, "run", "read the notes"], {
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  });
}

test.skipIf(!isBuilt)("the built plugin is one file that exports one function", async () => {
  const source = await readFile(plugin, "utf8");
  const imported = [...source.matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from);
  expect(imported.filter((from) => !from?.startsWith("node:"))).toEqual([]);
  expect(source.match(/^export .*$/gm)).toEqual(["export { SheepdogPlugin };"]);
});

const timeout = 120_000; // programs take seconds to start, more on a busy machine

test.skipIf(!opencode.isReady)(
  `opencode in a loop of commands reads hints, is refused its call, and is stopped${opencode.hint}`,
  { timeout },
  async (context) => {
    const input = { command: "cat missing.txt", description: "Reads the notes" };
    const agent = await createOpencode(context, { tool: "bash", input });
    const { err, out } = await runOpencode(agent);

    const requests = agent.requests().map(({ text }) => text);
    expect(requests[2]).not.toContain("Sheepdog:");
    expect(requests[3]).toContain('Sheepdog: This exact call to \\"bash\\" has failed 3 times');
    expect(requests[6]).toContain("Refused by the guardian, not run.");
    expect(err + out).toContain("Sheepdog stopped opencode.");
    const spool = agent.spool("opencode");
    expect(answersOf(spool)).toEqual(["tell", "tell", "tell", "deny", "deny", "deny", "deny+stop"]);
    expect(requests.length).toBe(9); // none after the stop
    const shown = await agent.sheepdog("show");
    expect(shown.out).toContain("Ended: tool failures");
    expect(shown.out).not.toMatch(/✓|asks you/);
  },
);

test.skipIf(!opencode.isReady)(
  `a hint reaches opencode with the error of a failed tool${opencode.hint}`,
  { timeout },
  async (context) => {
    const agent = await createOpencode(context, { tool: "read", input: { filePath: "missing.txt" } });
    await runOpencode(agent);
    const requests = agent.requests().map(({ text }) => text);
    expect(requests[3]).toContain('missing.txt\\n\\nSheepdog: This exact call to \\"read\\" has failed 3 times');
    expect(requests[4]).toContain("has failed 3 times"); // and stays in the conversation
    expect(answersOf(agent.spool("opencode")).at(-1)).toBe("deny+stop");
  },
);

test.skipIf(!opencode.isReady)(
  `opencode that polls something that changes is left alone${opencode.hint}`,
  { timeout },
  async (context) => {
    const input = { command: "./status.sh", description: "Looks at the build" };
    const agent = await createOpencode(context, { tool: "bash", input });
    const { out } = await runOpencode(agent);
    expect(out).toContain("Done.");
    const spool = agent.spool("opencode");
    expect(answersOf(spool)).toEqual([]);
    expect(usageOf(spool)).toMatchObject({ inputTokens: 17_000, cacheReadTokens: 6_800, outputTokens: 850 });
    expect(usageOf(spool)?.costNanoUsd).toBe(45_390_000); // the prices of the settings
  },
);

test.skipIf(!opencode.isReady)(
  `a budget ends the work of opencode, whatever it does${opencode.hint}`,
  { timeout },
  async (context) => {
    const agent = await createOpencode(context, {
      tool: "bash",
      input: { command: "./status.sh", description: "Looks" },
    });
    await agent.write("sheepdog/config.toml", "[budget]\nper_run_limit_cents = 1\n");
    const { err, out } = await runOpencode(agent);
    expect(err + out).toContain("Sheepdog stopped");
    const spool = agent.spool("opencode");
    expect(answersOf(spool).at(-1)).toBe("deny+stop");
    expect(usageOf(spool)?.costNanoUsd).toBeGreaterThan(10_000_000);
    expect(agent.requests().length).toBeLessThan(12); // of 17
  },
);
