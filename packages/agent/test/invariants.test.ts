import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failed, type Message, ok, type RuntimeOptions } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryStores } from "../src/stores/memory-stores.ts";
import {
  calls,
  canary,
  done,
  endlessAgent,
  longText,
  processMark,
  reader,
  realTools,
  storedMessages,
  tool,
  workspace,
} from "./fault-fixture.ts";
import { pairingProblems } from "./run-checks.ts";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

describe("the pairing check", () => {
  const at = 1;
  const reply = (...ids: readonly string[]): Message => ({
    role: "assistant",
    id: "m",
    at,
    parts: ids.map((id) => ({ type: "call", id, tool: "read", input: {} })),
    stop: "calls",
    model: "m",
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false },
  });
  const result = (callId: string): Message => ({
    role: "tool",
    id: "m",
    at,
    callId,
    tool: "read",
    status: "ok",
    content: "",
  });
  const user: Message = { role: "user", id: "m", at, origin: "person", text: "Hi." };
  test("finds calls without a result, results without a call, and ids used twice", () => {
    expect(pairingProblems([user, reply("a", "b"), result("b"), result("a"), user])).toEqual([]);
    expect(pairingProblems([user, reply("a")])).toHaveLength(1);
    expect(pairingProblems([reply("a"), user, result("a")])).toHaveLength(2);
    expect(pairingProblems([reply("a"), result("a"), result("a")])).toHaveLength(1);
    expect(pairingProblems([reply("a"), result("a"), reply("a"), result("a")])).toHaveLength(1);
  });
});

describe("in every run", () => {
  test("I3 the prompt is saved, however the run ends", async () => {
    const endings: readonly (readonly [string, TestAgent])[] = [
      [
        "refused by the provider",
        testAgent(scriptedModel([], { afterLast: { fault: { type: "status", status: 401 } } })),
      ],
      [
        "cancelled in the first reply",
        testAgent(scriptedModel([{ text: longText, fault: { type: "silence", after: 2 } }])),
      ],
      [
        "too long",
        testAgent(scriptedModel([done]), [], { settings: { maxContextTokens: 400, contextStrategy: "none" } }),
      ],
      ["chanting", testAgent(scriptedModel([], { afterLast: { fault: { type: "endless", text: "Again. " } } }))],
    ];
    const lost: string[] = [];
    for (const [name, agent] of endings) {
      const prompt = name === "too long" ? "sheep ".repeat(800) : "Count the sheep.";
      const run = agent.runtime.run(session, prompt);
      agent.runtime.bus.subscribe((event) =>
        event.type === "TextDelta" && name.startsWith("cancelled") ? run.cancel() : undefined,
      );
      await run.result;
      if (!(await storedMessages(agent)).some((message) => message.role === "user" && message.text === prompt))
        lost.push(name);
    }
    expect(lost).toEqual([]);
  });

  test("I3 a steering message that comes too late for this run is saved for the next one", async () => {
    const agent = testAgent(scriptedModel([done]));
    const run = agent.runtime.run(session, "Go.");
    agent.runtime.bus.subscribe((event) => (event.type === "TurnComplete" ? run.steer("And the lambs.") : undefined));
    await run.result;
    await agent.runtime.run(session, "Well?").result;
    expect(JSON.stringify(await storedMessages(agent))).toContain("And the lambs.");
  });

  test("I3 a steering message during the answer is sent to the model before the run ends", async () => {
    const model = scriptedModel([{ text: "Here it is." }, { text: "The lambs too." }]);
    const agent = testAgent(model);
    const run = agent.runtime.run(session, "Go.");
    run.steer("And the lambs.");
    expect((await agent.check(run)).text).toBe("The lambs too.");
    expect(model.requests).toHaveLength(2);
  });

  test("I8 no event contains a secret, wherever it enters", async () => {
    process.env["SHEEPDOG_CANARY_API_KEY"] = canary;
    onTestFinished(() => void delete process.env["SHEEPDOG_CANARY_API_KEY"]);
    await writeFile(join(workspace, "secret.env"), `API_KEY=${canary}\n`);
    const leak = tool("leak", "unknown", async () =>
      ok(`token: ${canary}`, { [canary]: canary, headers: { authorization: `Bearer ${canary}` } }),
    );
    const broken = tool("broken", "unknown", async () => failed(`401 for https://user:${canary}@host/`));
    const model = scriptedModel(
      [
        { fault: { type: "status", status: 500, message: `upstream said ${canary}` } },
        {
          thinking: `The key is ${canary}, I think.`,
          text: `I use ${canary} now. `,
          calls: [
            { tool: "leak", input: { path: canary } },
            { tool: "broken", input: { password: canary } },
          ],
        },
        {
          calls: [
            { tool: "bash", input: { command: "env; cat secret.env" } },
            { tool: "read", input: { path: "secret.env" } },
          ],
        },
        { text: `Your key is ${canary}.` },
      ],
      { deltaChars: 5 },
    );
    const agent = testAgent(model, [leak, broken, ...realTools()], { workspace });
    expect((await agent.run(`Use ${canary}.`, { canaries: [canary], processMark })).reason).toBe("answered");
    expect((await agent.results()).find(({ tool: name }) => name === "bash")?.content).not.toContain(
      "SHEEPDOG_CANARY_API_KEY",
    );
  });

  test("I8 no event contains a secret that the model uses as a tool name", async () => {
    const agent = testAgent(scriptedModel([calls(canary, {}), done]), [reader().tool]);
    expect((await agent.run("Go.", { canaries: [canary] })).reason).toBe("answered");
  });

  test("I8 the summary of a stopped run contains no secret", async () => {
    const leak = tool("leak", "unknown", async () => failed(`bad key ${canary}`));
    const { agent } = endlessAgent(() => calls("leak", {}), [leak], { settings: { maxTurns: 2 } });
    expect((await agent.run("Go.", { canaries: [canary] })).text).not.toContain(canary);
  });

  test("I9 the problem is one line, even if the error of a store has several", async () => {
    const stores = memoryStores();
    const commit = async () => {
      throw new Error(`disk full\n    at write (store.ts)\n${canary}`);
    };
    const agent = testAgent(scriptedModel([done]), [], {
      stores: { ...stores, sessions: { ...stores.sessions, commit } },
    });
    const run = agent.runtime.run(session, "Go.");
    const result = await run.result;
    expect(result).toMatchObject({ reason: "internal_error", exitCode: 1 });
    expect(result.problem).not.toContain("\n");
    expect(result.problem).not.toContain(canary);
  });

  test("I2 two runs of one session at once do not mix their messages", async () => {
    const { agent } = endlessAgent(
      (count) => (count < 6 ? { ...calls("read", { path: `${count}` }), delayMs: 1 } : done),
      [reader().tool],
    );
    const runs = [agent.runtime.run(session, "Count the sheep."), agent.runtime.run(session, "Count the dogs.")];
    await Promise.all(runs.map(({ result }) => result));
    const messages = await storedMessages(agent);
    expect(pairingProblems(messages)).toEqual([]);
    const promptIndexes = messages.flatMap((message, index) =>
      message.role === "user" && message.origin === "person" ? [index] : [],
    );
    expect(messages.slice(promptIndexes[0], promptIndexes[1]).at(-1)).toMatchObject({ role: "assistant", stop: "end" });
  });

  const broken = async (): Promise<never> => {
    throw new Error("broken");
  };
  const asks: RuntimeOptions["gate"] = { decide: async () => ({ tier: 3, decision: "ask", reason: "a test" }) };
  test.each([
    ["a gate", { gate: { decide: broken } }],
    ["an approval function", { gate: asks, attended: true, approve: broken }],
  ] as const)("I3 %s that throws denies the call, and no reply is lost", async (_, more) => {
    let ran = 0;
    const note = tool("note", "mutate", async () => {
      ran += 1;
      return ok("noted");
    });
    const agent = testAgent(scriptedModel([{ text: "I write it down. ", ...calls("note", {}) }, done]), [note], more);
    const run = agent.runtime.run(session, "Go.");
    await run.result;
    expect(ran).toBe(0);
    await agent.check(run);
  });
});
