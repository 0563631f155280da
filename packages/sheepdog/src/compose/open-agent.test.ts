import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { startWireServer } from "@sheepdog/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { configSchema } from "../config/schema.ts";
import { resolveHome } from "../home.ts";
import { type Agent, type OpenAgentOptions, openAgent } from "./open-agent.ts";

const file = scratchFolder();
const noOllama = { OLLAMA_HOST: "127.0.0.1:1" }; // nothing listens there

async function options(config: unknown, more: Partial<OpenAgentOptions> = {}): Promise<OpenAgentOptions> {
  const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
  return {
    config: configSchema.parse(config),
    home,
    env: { ANTHROPIC_API_KEY: "a-key" },
    cwd: dirname(await file("work/x")),
    attended: false,
    ...more,
  };
}

async function opened(config: unknown, more: Partial<OpenAgentOptions> = {}): Promise<Agent> {
  const result = await openAgent(await options(config, more));
  if (!result.ok) throw new Error(result.problems.join("\n"));
  onTestFinished(() => result.agent.close());
  return result.agent;
}

test("the model is the configured one, or one that the environment has a key for", async () => {
  expect((await opened({})).model).toBe("anthropic:claude-sonnet-5");
  expect((await opened({ model: { model_id: "claude-x" } })).model).toBe("anthropic:claude-x");
  expect(
    (await opened({ model: { provider: "openai" } }, { env: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "b" } })).model,
  ).toMatch(/^openai:/);
  expect(await openAgent(await options({}, { env: noOllama }))).toMatchObject({
    ok: false,
    isModelMissing: true,
    exitCode: 2,
  });
});

test("a note says where requests go, if that is not the provider's own address", async () => {
  expect((await opened({})).addressNotes).toEqual([]);
  const { addressNotes } = await opened({ model: { base_url: "http://127.0.0.1:4010/v1?key=a" } });
  expect(addressNotes[0]).toBe("The model is anthropic:claude-sonnet-5 at http://127.0.0.1:4010/v1");
});

test("a note says where requests for a fallback model go, if it can be used", async () => {
  const fallback_models = [
    { provider: "vllm", model_id: "qwen", base_url: "http://127.0.0.1:8001/v1?key=a" },
    { provider: "anthropic", model_id: "claude-x" },
    { provider: "openai", model_id: "gpt-x", base_url: "https://proxy.example.org/v1" }, // it has no key
  ];
  expect((await opened({ fallback_models })).addressNotes).toEqual([
    "A fallback model is vllm:qwen at http://127.0.0.1:8001/v1",
  ]);
});

test("plain http to another machine needs security.allow_plain_http, which the problem names", async () => {
  const model = { base_url: "http://192.168.1.5:11434/v1" };
  const refused = await openAgent(await options({ model }));
  expect(refused).toMatchObject({
    ok: false,
    problems: [expect.stringContaining("allow it with security.allow_plain_http=true")],
  });
  const { addressNotes } = await opened({ model, security: { allow_plain_http: true } });
  expect(addressNotes[0]).toContain("at http://192.168.1.5:11434/v1");
});

test("a problem with the model never contains the key", async () => {
  const incomplete = await openAgent(await options({ model: { provider: "vllm" } }, { env: noOllama }));
  expect(incomplete).toEqual({
    ok: false,
    exitCode: 2,
    problems: ['model.provider is "vllm", but model.model_id is not set; set it to a model of this provider.'],
  });
  const withSpace = await openAgent(await options({}, { env: { ANTHROPIC_API_KEY: "sk-ant secret" } }));
  expect(withSpace).toMatchObject({
    ok: false,
    problems: [expect.stringContaining("character that keys do not have")],
  });
  expect(JSON.stringify(withSpace)).not.toContain("secret");
});

test("a fallback model that cannot be used is a note, not an error", async () => {
  const { notes } = await opened({ fallback_models: [{ provider: "openai", model_id: "gpt-4o" }] });
  expect(notes).toEqual(["A fallback model cannot be used: There is no API key for openai: set OPENAI_API_KEY."]);
});

test("a request is never larger than the context window of the model", async () => {
  const small = { agent: { max_context_tokens: 100_000 }, model: { provider: "openai", model_id: "gpt-4" } };
  expect((await opened(small, { env: { OPENAI_API_KEY: "k" } })).maxContextTokens).toBe(8_192);
  expect((await opened({ agent: { max_context_tokens: 100_000 } })).maxContextTokens).toBe(100_000);
});

test("a home folder that cannot be opened is reported with its path", async () => {
  const home = resolveHome({ SHEEPDOG_HOME: await file("taken", "a file") });
  expect(await openAgent(await options({}, { home }))).toMatchObject({
    ok: false,
    exitCode: 1,
    problems: [expect.stringContaining(home.dir)],
  });
});

test("the system prompt has the identity, the workspace and its files, remembered facts, and the goal", async () => {
  const server = await startWireServer([
    { calls: [{ tool: "memory_write", input: { fact: "The dog is called Rex." } }] },
    { text: "Noted." },
    { text: "Rex." },
  ]);
  onTestFinished(() => server.close());
  const env = { ANTHROPIC_API_KEY: "a-key", ANTHROPIC_BASE_URL: server.url };
  await writeFile(await file("work/AGENTS.md"), "Use tabs.");
  const first = await opened({}, { env });
  await first.runtime.run("ses_1", "Remember the dog.").result;
  const second = await opened({}, { env, about: "What is the dog called?" });
  const goal = { text: "The name is known.", criteria: [{ type: "OutputContains", text: "Rex" }] } as const;
  expect(await second.runtime.runWithGoal("ses_2", "What is the dog called?", goal).result).toMatchObject({
    reason: "goal_accepted",
    text: "Rex.",
  });
  const system = JSON.stringify(server.requests[2]?.body["system"]);
  for (const words of [
    "Sheepdog's agent",
    "Use tabs.",
    "The dog is called Rex.",
    "Goal: The name is known.",
    "Working folder: /",
  ])
    expect(system).toContain(words);
});

test("the user approves calls that the gate does not allow, and only in attended runs", async () => {
  const server = await startWireServer([], {
    afterLast: ({ index }) =>
      index % 2 === 0 ? { calls: [{ tool: "bash", input: { command: "rm -rf /nowhere-at-all" } }] } : { text: "Done." },
  });
  onTestFinished(() => server.close());
  const env = { ANTHROPIC_API_KEY: "a-key", ANTHROPIC_BASE_URL: server.url };
  const approvals: string[] = [];
  const approve: OpenAgentOptions["approve"] = async (call) => {
    approvals.push(call.tool);
    return { isAllowed: false, reason: "not today" };
  };
  for (const attended of [true, false])
    await (await opened({}, { env, attended, approve })).runtime.run(`ses_${attended}`, "Clean up.").result;
  expect(approvals).toEqual(["bash"]);
  expect(server.requests[1]?.text).toContain("not today");
  expect(server.requests[3]?.text).toContain("There is no user to approve it.");
});

test("models that judge, plan and run nodes are configured by name; notes say where their requests go", async () => {
  const agent = {
    judge: { model: "openai:a-judge" },
    director: { model: "openai:a-planner", models: ["openai:b", "google:gemini-x", "openai:b"] },
  };
  const env = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "b-key", OPENAI_BASE_URL: "http://127.0.0.1:4010/v1" };
  const { addressNotes, notes } = await opened({ agent }, { env });
  expect(addressNotes).toEqual([
    "The model that judges goals is openai:a-judge at http://127.0.0.1:4010/v1",
    "The model that plans is openai:a-planner at http://127.0.0.1:4010/v1",
    "A model for the nodes of plans is openai:b at http://127.0.0.1:4010/v1",
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^A model for the nodes of plans cannot be used, so no node uses it: /),
  ]);
});

test("a model for a role without a key is a note, a wrong name is a problem, and all problems are named", async () => {
  const { notes } = await opened({ agent: { judge: { model: "openai:x" }, director: { model: "openai:y" } } });
  expect(notes).toEqual([
    expect.stringMatching(/^The model that judges goals cannot be used, so the model of the run judges them: .*OPENAI/),
    expect.stringMatching(/^The model that plans cannot be used, so the model of the run plans: .*OPENAI/),
  ]);
  expect(
    await openAgent(
      await options({ agent: { judge: { model: "x" }, director: { models: ["openai:y", "antropic:z"] } } }),
    ),
  ).toMatchObject({
    ok: false,
    exitCode: 2,
    problems: [
      expect.stringMatching(/^agent\.judge\.model x: it must be provider:model/),
      'agent.director.models antropic:z: there is no provider "antropic"; did you mean "anthropic"?',
    ],
  });
});

test("the model for second opinions is configured by name; without a key the model of the run gives them", async () => {
  const guardian = (second_opinion_model: string) => ({ agent: { guardian: { second_opinion_model } } });
  const { notes } = await opened(guardian("openai:gpt-x"));
  expect(notes.join()).toMatch(
    /^The model for second opinions cannot be used, so the model of the run gives them: .*OPENAI/,
  );
  expect((await opened(guardian("anthropic:claude-x"))).notes).toEqual([]);
  expect(await openAgent(await options(guardian("claude-x")))).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^agent\.guardian\.second_opinion_model claude-x: it must be provider:model/)],
  });
});
