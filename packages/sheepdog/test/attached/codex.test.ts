import type { ScriptedCall } from "@sheepdog/agent/testing";
import { expect, type TestContext, test } from "vitest";
import { type AttachedAgent, answersOf, createAttachedAgent, peer, usageOf } from "./attached-agent.ts";

const codex = peer("codex");
const program = codex.path("@openai/codex/bin/codex.js");

/** `codex exec` with our hooks, and a provider that is a local server. */
async function createCodex(context: TestContext, call: ScriptedCall): Promise<AttachedAgent> {
  const agent = await createAttachedAgent(context, call);
  await agent.attach("codex", codexHome(agent));
  await agent.write(
    "codex/config.toml",
    `model = "gpt-5"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "${agent.server.url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
`,
  );
  return agent;
}

function codexHome({ folder }: AttachedAgent): Readonly<Record<string, string>> {
  return { CODEX_HOME: `${folder}/codex` };
}

function runCodex(agent: AttachedAgent): ReturnType<AttachedAgent["run"]> {
  const flags = [
    "--skip-git-repo-check",
    "--dangerously-bypass-hook-trust",
    "--dangerously-bypass-approvals-and-sandbox",
  ];
  const env = { ...codexHome(agent), LOCAL_KEY: "key-1" };
  return agent.run([process.execPath, program, "exec", ...flags, "read the notes"], env);
}

const timeout = 120_000; // programs take seconds to start, more on a busy machine

test.skipIf(!codex.isReady)(
  `codex exec in a loop reads hints, is refused its call, and is interrupted${codex.hint}`,
  { timeout },
  async (context) => {
    const agent = await createCodex(context, { tool: "exec_command", input: { cmd: "cat missing.txt" } });
    const { code, err } = await runCodex(agent);

    const requests = agent.requests().map(({ text }) => text);
    expect(requests[2]).not.toContain("Sheepdog:");
    expect(requests[3]).toContain('Sheepdog: This exact call to \\"Bash\\" has failed 3 times');
    expect(requests[6]).toContain("Command blocked by PreToolUse hook: Refused by the guardian, not run.");
    expect(err).toContain("Sheepdog stopped Codex.");
    expect(code).toBe(1); // as after Ctrl+C
    expect(requests.length).toBeLessThan(17); // some are made until the interruption arrives

    const spool = agent.spool("codex");
    const answers = answersOf(spool);
    expect(answers.slice(0, 7)).toEqual(["tell", "tell", "tell", "deny", "deny", "deny", "deny+stop"]);
    expect(new Set(answers.slice(6))).toEqual(new Set(["deny+stop"])); // also those until the interruption
    expect(spool.filter(({ type }) => type === "problem")).toEqual([]);
    const { out } = await agent.sheepdog("show");
    expect(out).toContain("Ended: tool failures");
    expect(out).not.toMatch(/✓|asks you/);
  },
);

test.skipIf(!codex.isReady)(
  `a tool that fails has no hook of its own: its error is read in the recording${codex.hint}`,
  { timeout },
  async (context) => {
    const agent = await createCodex(context, { tool: "view_image", input: { path: "missing.png" } });
    const { err } = await runCodex(agent);
    const requests = agent.requests().map(({ text }) => text);
    expect(requests[4]).toContain('Sheepdog: This exact call to \\"view_image\\" has failed 3 times');
    expect(err).toContain("Sheepdog stopped Codex.");
  },
);

test.skipIf(!codex.isReady)(
  `codex exec that polls something that changes is left alone${codex.hint}`,
  { timeout },
  async (context) => {
    const agent = await createCodex(context, { tool: "exec_command", input: { cmd: "./status.sh" } });
    const { code, out } = await runCodex(agent);
    expect(code).toBe(0);
    expect(out).toContain("Done.");
    const spool = agent.spool("codex");
    expect(answersOf(spool)).toEqual([]);
    expect(usageOf(spool)).toMatchObject({ inputTokens: 17_000, cacheReadTokens: 6_800, outputTokens: 850 });
  },
);

test.skipIf(!codex.isReady)(
  `a budget ends the work of codex exec, whatever it does${codex.hint}`,
  { timeout },
  async (context) => {
    const agent = await createCodex(context, { tool: "exec_command", input: { cmd: "./status.sh" } });
    await agent.write("sheepdog/config.toml", "[budget]\nper_run_limit_cents = 1\n[channles]\n"); // holds all the same
    const { err, out } = await runCodex(agent);
    expect(err + out).toContain("Sheepdog stopped");
    const spool = agent.spool("codex");
    expect(spool.find(({ type }) => type === "problem")).toMatchObject({
      sentence: expect.stringContaining("channles"),
    });
    expect(answersOf(spool).at(-1)).toBe("deny+stop");
    expect(usageOf(spool)?.costNanoUsd).toBeGreaterThan(10_000_000);
    expect(agent.requests().length).toBeLessThan(17); // some are made until the interruption arrives
  },
);
