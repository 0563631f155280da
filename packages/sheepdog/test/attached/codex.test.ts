import { contractOf } from "@sheepdog/integrations/hooks";
import { expect, type TestContext, test } from "vitest";
import { type AttachedAgent, answersOf, createAttachedAgent, peer, usageOf } from "./attached-agent.ts";

const codex = peer("codex");
const program = codex.path("@openai/codex/bin/codex.js");

/** `codex exec` with our hooks, and a provider that is a local server. */
async function createCodex(context: TestContext, command: string): Promise<AttachedAgent> {
  const agent = await createAttachedAgent(context, { tool: "exec_command", input: { cmd: command } });
  const hook = { hooks: [{ type: "command", command: `${agent.hookScript} codex` }] };
  const hooks = Object.fromEntries((contractOf("codex")?.events ?? []).map((event) => [event, [hook]]));
  await agent.write("codex/hooks.json", JSON.stringify({ hooks }));
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

function runCodex(agent: AttachedAgent): ReturnType<AttachedAgent["run"]> {
  const flags = [
    "--skip-git-repo-check",
    "--dangerously-bypass-hook-trust",
    "--dangerously-bypass-approvals-and-sandbox",
  ];
  const env = { CODEX_HOME: `${agent.folder}/codex`, LOCAL_KEY: "key-1" };
  return agent.run([process.execPath, program, "exec", ...flags, "read the notes"], env);
}

test.skipIf(!codex.isReady)(
  `codex exec in a loop reads hints, is refused its call, and is interrupted${codex.hint}`,
  async (context) => {
    const agent = await createCodex(context, "cat missing.txt");
    const { code, err } = await runCodex(agent);

    const requests = agent.requests().map(({ text }) => text);
    expect(requests[2]).not.toContain("Sheepdog:");
    expect(requests[3]).toContain('Sheepdog: This exact call to \\"Bash\\" has failed 3 times');
    expect(requests[6]).toContain("Command blocked by PreToolUse hook: Refused by the guardian, not run.");
    expect(err).toContain("Sheepdog stopped Codex.");
    expect(code).toBe(1); // as after Ctrl+C
    expect(requests.length).toBeLessThanOrEqual(11);

    const spool = agent.spool("codex");
    const answers = answersOf(spool);
    expect(answers.slice(0, 7)).toEqual(["tell", "tell", "tell", "deny", "deny", "deny", "deny+stop"]);
    expect(new Set(answers.slice(6))).toEqual(new Set(["deny+stop"])); // also those until the interruption
    expect(spool.filter(({ type }) => type === "problem")).toEqual([]);
  },
);

test.skipIf(!codex.isReady)(
  `codex exec that polls something that changes is left alone${codex.hint}`,
  async (context) => {
    const agent = await createCodex(context, "./status.sh");
    const { code, out } = await runCodex(agent);
    expect(code).toBe(0);
    expect(out).toContain("Done.");
    const spool = agent.spool("codex");
    expect(answersOf(spool)).toEqual([]);
    expect(usageOf(spool)).toMatchObject({ inputTokens: 17_000, cacheReadTokens: 6_800, outputTokens: 850 });
  },
);
