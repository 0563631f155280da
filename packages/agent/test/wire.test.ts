import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunResult, RuntimeOptions, Tool } from "@sheepdog/agent";
import {
  type Script,
  type ScriptedTurn,
  startWireServer,
  type WireRequest,
  type WireServer,
} from "@sheepdog/agent/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { findModel } from "../src/provider/find-model.ts";
import { createReadRegistry } from "../src/tools/files/read-registry.ts";
import { readTool } from "../src/tools/read-tool.ts";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

/** A key without a recognisable form: it must stay secret for other reasons than its form. */
const apiKey = "quiet-shepherd-canary-7731";
/** A key in a recognisable form, as tools and providers may print it. */
const canary = "sk-wire-canary-5519-8842-1203";

const formats = [
  { provider: "anthropic", name: "Anthropic" },
  { provider: "openai-compatible", name: "OpenAI chat" },
  { provider: "openai", name: "OpenAI Responses" },
  { provider: "google", name: "Gemini" },
];

let folder = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-wire-")));
  await writeFile(join(folder, "a.txt"), "The dog is called Rex.\n");
  await writeFile(join(folder, "b.txt"), `The sheep are on the hill.\nexport API_KEY=${canary}\n`);
  await writeFile(join(folder, "c.txt"), "Grüße vom Schäfer 😀\n");
  await writeFile(
    join(folder, "long.txt"),
    Array.from(
      { length: 300 },
      (_, line) => `Sheep ${line} stands in row ${line % 17} and looks at cloud ${line * 31}.`,
    ).join("\n"),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface WireAgent extends Omit<TestAgent, "ask"> {
  readonly server: WireServer;
  /** Runs a prompt to its end and checks the run; `isFurther` if the server received earlier runs too. */
  go(prompt: string, more?: { readonly isFurther: true }): Promise<RunResult>;
}

/** A runtime whose model is a provider's real package, over a real connection. */
async function wireAgent(
  provider: string,
  script: Script<WireRequest>,
  afterLast: ScriptedTurn | "error" = "error",
  more: Partial<RuntimeOptions> = {},
): Promise<WireAgent> {
  const server = await startWireServer(script, { afterLast });
  onTestFinished(() => server.close());
  const model = await findModel({ provider, modelId: "shepherd-1", baseUrl: server.url, apiKey }, {});
  const read = readTool({ workspace: folder, readRegistry: createReadRegistry() });
  const agent = testAgent(model, [read], { workspace: folder, ...more });
  const go: WireAgent["go"] = async (prompt, options) => {
    const run = agent.runtime.run(session, prompt);
    await run.result;
    return agent.check(run, {
      canaries: [apiKey, canary],
      ...(options === undefined ? { requests: server.requests.length } : {}),
    });
  };
  return { ...agent, server, go };
}

const read = (...paths: readonly string[]) => paths.map((path) => ({ tool: "read", input: { path } }));

describe.each(formats)("$name", ({ provider }) => {
  test("thinking, text, parallel and sequential calls, their usage and the answer", async () => {
    const usage = { input: 120, cacheRead: 20, output: 9 };
    const { go, server, events, ledger, results } = await wireAgent(provider, [
      {
        thinking: "First the names.",
        signature: "c2lnbmVk",
        text: "I look at two files. ",
        calls: read("a.txt", "b.txt"),
        usage,
      },
      { text: "And one more: ", calls: read("c.txt"), usage, framing: { chunkBytes: 5 } },
      { text: "Rex, on the hill. Grüße 😀", usage },
    ]);
    const result = await go("Who is where?");
    expect(result).toMatchObject({
      reason: "answered",
      text: "Rex, on the hill. Grüße 😀",
      turns: 3,
      usage: { input: 360, cacheRead: 60, output: 27, isEstimated: false },
    });
    expect(ledger.map((row) => [row.model, row.costNanoUsd])).toEqual(
      Array.from({ length: 3 }, () => ["shepherd-1", 129_000]),
    );
    expect((await results()).map(({ status, content }) => `${status} ${content}`)).toEqual([
      expect.stringContaining("ok 1\tThe dog is called Rex."),
      expect.stringContaining("ok 1\tThe sheep are on the hill."),
      expect.stringContaining("ok 1\tGrüße vom Schäfer 😀"),
    ]);
    const thinking = events.flatMap((event) => (event.type === "ThinkingDelta" ? [event.text] : [])).join("");
    expect(thinking).toBe("First the names.");
    const text = events.flatMap((event) => (event.type === "TextDelta" ? [event.text] : [])).join("");
    expect(text).toBe("I look at two files. And one more: Rex, on the hill. Grüße 😀");
    expect(server.requests[1]?.text).toContain("The dog is called Rex.");
    expect(server.requests[2]?.text).toContain("Schäfer");
    if (provider === "anthropic") expect(server.requests[1]?.text).toContain("c2lnbmVk");
  });

  test("calls of one reply run in parallel, and the second run of the session knows the first", async () => {
    const { go, server, events } = await wireAgent(provider, [
      { calls: read("a.txt", "b.txt", "c.txt") },
      { text: "Read." },
      { text: "As I said." },
    ]);
    await go("Read all.");
    const starts = events.flatMap((event) =>
      event.type === "ToolStart" || event.type === "ToolEnd" ? [event.type] : [],
    );
    expect(starts.slice(0, 3)).toEqual(["ToolStart", "ToolStart", "ToolStart"]);
    expect(await go("And?", { isFurther: true })).toMatchObject({ reason: "answered", text: "As I said." });
    expect(server.requests[2]?.text).toContain("The dog is called Rex.");
  });

  test("no request has a lone surrogate, wherever one came from", async () => {
    const cut = "cut \ud83d";
    const echo: Tool = {
      name: "echo",
      description: cut,
      kind: "read",
      input: z.looseObject({ text: z.string() }),
      jsonSchema: { type: "object", properties: { text: { type: "string", description: cut } } },
      run: async () => `${cut} \udc00`,
    };
    const call = (text: string) => ({
      thinking: cut,
      text: cut,
      calls: [{ tool: "echo", input: { text, "k\udc00": [cut] } }],
    });
    const { runtime, server } = await wireAgent(
      provider,
      [call(cut), call("b"), { text: cut }, { text: cut }],
      "error",
      {
        tools: [echo],
        system: cut,
      },
    );
    await runtime.run(session, cut).result;
    expect(await runtime.run(session, cut).result).toMatchObject({ state: "completed" });
    expect(server.requests).toHaveLength(4);
    // A pair is written as it is, and a lone one as an escape.
    for (const { body } of server.requests) expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/i);
  });

  test("a loop is warned about, blocked and halted", async () => {
    const { go, server, count } = await wireAgent(
      provider,
      [],
      { text: "Once more. ", calls: read("gone.txt") },
      { settings: { maxTurns: 60 } },
    );
    const result = await go("Read gone.txt.");
    expect(["doom_loop", "tool_failures", "no_progress"]).toContain(result.reason);
    expect(result).toMatchObject({ exitCode: 5, state: "error" });
    expect(result.interventions.map(({ level }) => level)).toEqual(
      expect.arrayContaining(["hint", "warn", "block", "halt"]),
    );
    expect(count("ToolBlocked")).toBeGreaterThan(0);
    expect(server.requests.at(-1)?.text).toContain("sheepdog-notice");
  });

  test("a chant is interrupted and noticed, and the run continues", async () => {
    const { go, server, types } = await wireAgent(provider, [
      { fault: { type: "endless", text: "I will try again. " } },
      { text: "I stop here." },
    ]);
    const result = await go("Try.");
    expect(result).toMatchObject({ reason: "answered", text: "I stop here." });
    expect(result.interventions.map(({ detector, effect }) => `${detector} ${effect}`)).toContain("chant interrupt");
    expect(await server.requests[0]?.outcome).toBe("left");
    expect(server.requests[1]?.text).toContain("sheepdog-notice");
    expect(types()).toContain("GuardianIntervention");
  });

  test("a run that continues chanting is ended", async () => {
    const { go } = await wireAgent(provider, [], { text: "I will look at it now. ".repeat(200) });
    expect((await go("Look.")).reason).toBe("chant");
  });

  test("silence in the middle of a reply times out and is retried", async () => {
    const settings = { betweenSecs: 0.15, firstByteSecs: 20 };
    const { go, runtime, server, events } = await wireAgent(
      provider,
      [{ text: "Half a reply that never ends", fault: { type: "silence", after: 2 } }, { text: "Whole." }],
      "error",
      { settings },
    );
    expect(await go("Go.")).toMatchObject({ reason: "answered", text: "Whole." });
    expect(await server.requests[0]?.outcome).toBe("left");
    expect(events.flatMap((event) => (event.type === "StreamEnd" ? [event.isComplete] : []))).toEqual([false, true]);
    const stored = (await runtime.stores.sessions.load(session)).messages;
    expect(JSON.stringify(stored)).not.toContain("Half a reply");
  });

  test("the guardian detects a stall: one retry, then the run ends", async () => {
    const settings = { firstByteSecs: 10_000, betweenSecs: 10_000 };
    const { go, clock, server, count } = await wireAgent(
      provider,
      [],
      { text: "Half a reply, and then", fault: { type: "silence", after: 2 } },
      { settings },
    );
    const advancing = setInterval(
      () => (server.requests.length > count("StreamEnd") ? clock.advance(30_000) : undefined),
      10,
    ); // time passes while the server has a request
    const result = await go("Go.");
    clearInterval(advancing);
    expect(result.reason).toBe("stall");
    expect(server.requests).toHaveLength(2);
    expect(count("GuardianStall")).toBeGreaterThan(0);
  });

  test("429 is retried after the wait that the provider asks for", async () => {
    const { go, events } = await wireAgent(provider, [
      { fault: { type: "status", status: 429, retryAfter: 7 } },
      { text: "Now." },
    ]);
    expect(await go("Go.")).toMatchObject({ reason: "answered", text: "Now.", turns: 1 });
    const waits = events.flatMap((event) => (event.type === "ProviderRetry" ? [event.waitMs] : []));
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(7_000);
    expect(waits[0]).toBeLessThan(8_000);
  });

  test("401 ends the run at once, and its problem does not contain the key", async () => {
    const body = JSON.stringify({
      error: { message: `Incorrect API key provided: ${apiKey} (${canary}).`, type: "authentication_error" },
    });
    const { go, server } = await wireAgent(provider, [], { fault: { type: "status", status: 401, body } });
    const result = await go("Go.");
    expect(result).toMatchObject({ reason: "provider_error", exitCode: 7, turns: 0 });
    expect(result.problem).toContain("API key");
    expect(JSON.stringify(result)).not.toContain(apiKey);
    expect(JSON.stringify(result)).not.toContain(canary);
    expect(server.requests).toHaveLength(1);
  });

  test("a conversation that is too long is compacted once and sent again", async () => {
    const { go, server, count } = await wireAgent(provider, [
      { calls: read("long.txt") },
      { fault: { type: "context-too-long" } },
      { text: "Shorter." },
    ]);
    expect(await go("Read long.txt.")).toMatchObject({ reason: "answered", text: "Shorter." });
    expect(count("ContextCompacted")).toBe(1);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.text.length).toBeLessThan(server.requests[1]?.text.length ?? 0);
  });

  test("a conversation that stays too long ends the run, without a loop and with advice that helps", async () => {
    const { go, server } = await wireAgent(provider, [{ calls: read("long.txt") }], {
      fault: { type: "context-too-long" },
    });
    const result = await go("Read long.txt.");
    expect(result.reason).toBe("context_budget");
    expect(result.problem).toContain("use a model with a larger context window, or start a new session.");
    expect(result.problem).not.toContain("max_context_tokens");
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });
});
