import {
  type AgentEvent,
  type AgentSettings,
  type Approval,
  createRuntime,
  defaultSettings,
  type Goal,
  memoryStores,
  ok,
} from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { askingGate } from "./crashing-stores.ts";
import { calls, canary, done, endlessAgent, reader, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

describe("the stores contain no secret", () => {
  /** Everything saved of a run with a secret in its goal, prompt, answer and an invented tool name. */
  async function savedWithSecrets() {
    const stores = memoryStores();
    const agent = testAgent(scriptedModel([calls(canary, {}), { text: `I used ${canary}.` }]), [reader().tool], {
      stores,
    });
    const goal: Goal = { text: `Log in with ${canary}.`, criteria: [{ type: "OutputContains", text: canary }] };
    const result = await agent.check(agent.runtime.runWithGoal(session, `Use ${canary}.`, goal), {
      canaries: [canary],
    });
    expect(result.reason).toBe("goal_accepted"); // judged by the unredacted answer
    const { checkpoint, ...saved } = await stores.sessions.load(session);
    return {
      checkpoint,
      saved: {
        ...saved,
        events: await stores.events.after(session, 0),
        rows: await stores.costs.rows(session),
        list: await stores.sessions.list(),
      },
    };
  }

  test("of a goal or of a tool name that the model invented", async () => {
    const { saved } = await savedWithSecrets();
    expect(saved.runs).toMatchObject([{ goal: { text: expect.stringContaining("Log in with") } }]);
    expect(saved.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(JSON.stringify(saved)).not.toContain(canary);
  });

  test("in the checkpoint, where the guardian stores calls", async () => {
    const { checkpoint } = await savedWithSecrets();
    expect(checkpoint).toBeDefined();
    expect(JSON.stringify(checkpoint)).not.toContain(canary);
  });
});

describe("an invalid request is refused with a sentence:", () => {
  const { runtime } = testAgent(scriptedModel([], { afterLast: done }));
  const missing = undefined as unknown as string; // untrue on purpose, like all values below
  test.each([
    ["an empty session id", "", "Go."],
    ["a session id of spaces", "  ", "Go."],
    ["no session id", missing, "Go."],
    ["an empty prompt", session, ""],
    ["a prompt of spaces", session, " \n"],
    ["no prompt", session, missing],
  ])("%s", (_, sessionId, prompt) => {
    expect(() => runtime.run(sessionId, prompt)).toThrow(/^Expected a (session id|prompt), got .*\.$/);
    expect(() => runtime.runWithGoal(sessionId, prompt, { text: "Done." })).toThrow(
      /^Expected a (session id|prompt), got .*\.$/,
    );
  });

  test.each([
    ["no goal", undefined],
    ["an empty goal", { text: " " }],
    ["a goal without a text", {}],
    ["a misspelt criterion", { text: "Done.", criteria: [{ type: "OutputMatches", text: "done" }] }],
    ["a criterion without a text", { text: "Done.", criteria: [{ type: "OutputContains" }] }],
  ])("%s", (_, goal) => {
    expect(() => runtime.runWithGoal(session, "Go.", goal as Goal)).toThrow(/^Expected a (goal|criterion) .*\.$/);
    expect(() => runtime.runWithDirector(session, "Go.", goal as Goal)).toThrow(/^Expected a (goal|criterion) .*\.$/);
  });
});

describe("settings:", () => {
  const make = (settings: object) =>
    createRuntime({ models: [scriptedModel([])], settings: settings as Partial<AgentSettings> }); // untrue on purpose

  test.each([
    [{ maxTurns: "2" }],
    [{ maxTurns: 2.5 }],
    [{ maxTurns: Number.POSITIVE_INFINITY }],
    [{ maxTurns: Number.NaN }],
    [{ maxTurns: -1 }],
    [{ maxTurns: null }],
    [{ maxOutputTokens: Number.POSITIVE_INFINITY }],
    [{ maxOutputTokens: 100.5 }],
    [{ maxContextTokens: "32000" }],
    [{ maxRetries: -1 }],
    [{ parallelTools: "no" }],
    [{ contextStrategy: "sumarize" }],
    [{ toolTimeoutSecs: 3_000_000 }], // a timer would end at once
    [{ toolTimeoutSecs: "60" }],
    [{ firstByteSecs: 3_000_000 }],
    [{ maxTurn: 2 }],
  ])("%o is refused with a sentence that names it", (settings) => {
    const name = Object.keys(settings)[0];
    expect(() => make(settings)).toThrow(new RegExp(`^Expected .*\\b${name}\\b.*\\.$`));
  });

  test.each([
    [{}],
    [{ toolTimeoutSecs: Number.POSITIVE_INFINITY }],
    [{ firstByteSecs: 0 }],
    [{ maxRetries: 0 }],
    [{ maxDurationSecs: 3_000_000 }],
  ])("%o is accepted", (settings) => {
    expect(() => make(settings)).not.toThrow();
  });

  test("undefined selects the default", async () => {
    const settings = Object.fromEntries(
      Object.keys(defaultSettings).map((name) => [name, undefined]),
    ) as unknown as Partial<AgentSettings>; // untrue on purpose
    const { agent, model } = endlessAgent((count) => calls("read", { path: `${count}.ts` }), [reader().tool], {
      settings,
    });
    expect(await agent.run()).toMatchObject({ reason: "max_turns", turns: defaultSettings.maxTurns });
    expect(model.requests).toHaveLength(defaultSettings.maxTurns);
  });
});

describe("the gate", () => {
  test.each(["allow", "ask", "deny"] as const)(
    "decides about memory_write before messages are compacted: %s",
    async (decision) => {
      const remembered: unknown[] = [];
      const memory = tool("memory_write", "mutate", async (input) => {
        remembered.push(input);
        return ok("remembered");
      });
      const page = (name = "") =>
        Array.from({ length: 120 }, (_, line) => `${name} line ${line} of the report`).join("\n");
      const read = tool("read", "read", async ({ path }) => ok(page(path)));
      let reads = 0;
      const model = scriptedModel([], {
        afterLast({ text }) {
          if (text.includes("memory_write")) return calls("memory_write", { text: "The report is long." });
          reads += 1;
          return reads > 6 ? done : calls("read", { path: `${reads}` });
        },
      });
      const gate = {
        decide: async ({ tool: name }: { readonly tool: string }) =>
          ({ tier: 2, decision: name === "memory_write" ? decision : "allow", reason: "a test" }) as const,
      };
      const agent = testAgent(model, [memory, read], {
        gate,
        settings: { maxContextTokens: 6_000, maxOutputTokens: 200 },
      });
      // Not checked further: the internal request and its result are not part of the history.
      expect((await agent.runtime.run(session, "Go.").result).reason).toBe("answered");
      const flushed = agent.events.flatMap((event) => (event.type === "MemoryFlushed" ? [event.facts] : []));
      expect(flushed.length).toBeGreaterThan(0);
      expect(new Set(flushed)).toEqual(new Set([decision === "allow" ? 1 : 0]));
      expect(remembered).toHaveLength(decision === "allow" ? flushed.length : 0);
    },
  );
});

describe("an approval", () => {
  /** Runs one call that needs approval; returns how often it was executed and its status. */
  async function askedAbout(approve: () => Promise<Approval>, more: { readonly attended?: boolean } = {}) {
    let ran = 0;
    const note = tool("note", "mutate", async () => {
      ran += 1;
      return ok("noted");
    });
    const agent = testAgent(scriptedModel([calls("note", {}), done]), [note], { gate: askingGate, approve, ...more });
    expect((await agent.run()).reason).toBe("answered");
    return { ran, statuses: (await agent.results()).map(({ status }) => status) };
  }

  test("without an answer is a denial", async () => {
    const nothing = async () => undefined as unknown as Approval; // untrue on purpose
    expect(await askedAbout(nothing, { attended: true })).toEqual({ ran: 0, statuses: ["denied"] });
  });

  test("is requested if there is an approval function, unless the run is unattended", async () => {
    expect(await askedAbout(async () => ({ isAllowed: true }))).toEqual({ ran: 1, statuses: ["ok"] });
    expect(await askedAbout(async () => ({ isAllowed: true }), { attended: false })).toEqual({
      ran: 0,
      statuses: ["denied"],
    });
  });
});

test("every reader of a run gets all of its events, during the run and afterwards", async () => {
  const agent = testAgent(scriptedModel([calls("read", { path: "a" }), done]), [reader().tool]);
  const run = agent.runtime.run(session, "Go.");
  const read = async () => {
    const events: AgentEvent[] = [];
    for await (const event of run) events.push(event);
    return events;
  };
  const [firstReader, secondReader] = await Promise.all([read(), read()]);
  expect(firstReader.map(({ type }) => type)).toEqual(agent.types());
  expect(secondReader).toEqual(firstReader);
  expect(await read()).toEqual(firstReader);
});
