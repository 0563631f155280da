import type { ScriptedCall } from "@sheepdog/agent/testing";
import { expect, type TestContext, test } from "vitest";
import { type AttachedAgent, answersOf, createAttachedAgent, peer, usageOf } from "./attached-agent.ts";

const gemini = peer("gemini-command");
const program = gemini.path("@google/gemini-cli/bundle/gemini.js");

/** `gemini -p` with our hooks. Its own detection would end a loop at the fifth equal call: nothing would be refused. */
async function createGemini(context: TestContext, call: ScriptedCall): Promise<AttachedAgent> {
  const agent = await createAttachedAgent(context, call);
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false },
    model: { disableLoopDetection: true },
  };
  await agent.write(".gemini/settings.json", JSON.stringify(settings));
  await agent.attach("gemini-cli");
  return agent;
}

function runGemini(agent: AttachedAgent): ReturnType<AttachedAgent["run"]> {
  const env = {
    GEMINI_API_KEY: "key-1",
    GOOGLE_GEMINI_BASE_URL: agent.server.url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
  const flags = ["--yolo", "--model", "gemini-2.5-pro", "--prompt", "read the notes"];
  return agent.run([process.execPath, program, ...flags], env);
}

const timeout = 120_000; // programs take seconds to start, more on a busy machine

test.skipIf(!gemini.isReady)(
  `gemini in a loop of commands reads hints, is refused its call, and is stopped${gemini.hint}`,
  { timeout },
  async (context) => {
    const agent = await createGemini(context, { tool: "run_shell_command", input: { command: "cat missing.txt" } });
    const { code, err } = await runGemini(agent);

    const requests = agent.requests().map(({ text }) => text);
    expect(requests[2]).not.toContain("Sheepdog:");
    expect(requests[3]).toContain('Sheepdog: This exact call to \\"run_shell_command\\" has failed 3 times');
    expect(requests[6]).toContain("Tool execution blocked: Refused by the guardian, not run.");
    expect(err).toContain("Sheepdog stopped Gemini CLI.");
    expect(code).toBe(0);
    expect(answersOf(agent.spool("gemini-cli"))).toEqual(["tell", "tell", "tell", "deny", "deny", "deny", "deny+stop"]);
    expect(requests.length).toBe(9); // none after the stop
  },
);

test.skipIf(!gemini.isReady)(
  `a hint reaches gemini with the error of a failed tool, which would lose any context beside it${gemini.hint}`,
  { timeout },
  async (context) => {
    const agent = await createGemini(context, { tool: "read_file", input: { file_path: "missing.txt" } });
    await runGemini(agent);
    const request = agent.requests()[3]?.text;
    expect(request).toContain('missing.txt\\n\\nSheepdog: This exact call to \\"read_file\\" has failed 3 times');
  },
);

test.skipIf(!gemini.isReady)(
  `gemini that polls something that changes is left alone${gemini.hint}`,
  { timeout },
  async (context) => {
    const agent = await createGemini(context, { tool: "run_shell_command", input: { command: "./status.sh" } });
    const { out } = await runGemini(agent);
    expect(out).toContain("Done.");
    const spool = agent.spool("gemini-cli");
    expect(answersOf(spool)).toEqual([]);
    expect(usageOf(spool)).toMatchObject({ inputTokens: 17_000, cacheReadTokens: 6_800, outputTokens: 850 });
  },
);

test.skipIf(!gemini.isReady)(
  `a budget ends the work of gemini, whatever it does${gemini.hint}`,
  { timeout },
  async (context) => {
    const agent = await createGemini(context, { tool: "run_shell_command", input: { command: "./status.sh" } });
    await agent.write("sheepdog/config.toml", "[budget]\nper_run_limit_cents = 1\n");
    const { err, out } = await runGemini(agent);
    expect(err + out).toContain("Sheepdog stopped");
    const spool = agent.spool("gemini-cli");
    expect(answersOf(spool).at(-1)).toBe("deny+stop");
    expect(usageOf(spool)?.costNanoUsd).toBeGreaterThan(10_000_000);
    expect(agent.requests().length).toBeLessThan(12); // of 17
  },
);
