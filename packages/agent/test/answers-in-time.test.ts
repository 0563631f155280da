import {
  type AgentEvent,
  type AgentEventType,
  type AskAboutRun,
  builtinTools,
  memoryStores,
  ok,
  type RuntimeOptions,
  type Stores,
} from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { calls, done, tool } from "./fault-fixture.ts";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

const write = tool("write_note", "mutate", async () => ok("written"));
const same = tool("same", "read", async () => ok("nothing new"));
const askingGate: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 2, decision: "ask", reason: "Writes a file." }),
};
const loop = Array.from({ length: 5 }, () => calls("same", {}));
const askUser = (answerTimeoutMs: number | undefined, ask: Parameters<typeof builtinTools>[0]["ask"]) =>
  builtinTools({ workspace: "/", answerTimeoutMs, ...(ask === undefined ? {} : { ask }) }).filter(
    ({ name }) => name === "ask_user",
  );

function eventsOf<T extends AgentEventType>(agent: TestAgent, type: T): readonly Extract<AgentEvent, { type: T }>[] {
  return agent.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** A question that nobody answers, and whether it was withdrawn. */
function noUser() {
  const withdrawn: boolean[] = [];
  return {
    withdrawn,
    ask: (signal: AbortSignal) =>
      new Promise<never>(() => signal.addEventListener("abort", () => withdrawn.push(true), { once: true })),
  };
}

describe("a run that waits for the user says until when", () => {
  test("an approval without an answer in time is a refusal, and the question is withdrawn", async () => {
    const user = noUser();
    const agent = testAgent(scriptedModel([calls("write_note", {}), done]), [write], {
      gate: askingGate,
      approve: (_call, _reason, signal) => user.ask(signal),
      answerTimeoutMs: 30,
    });
    await agent.run();
    const [asked] = eventsOf(agent, "ApprovalRequested");
    expect((asked?.answerBy ?? 0) - (asked?.at ?? 0)).toBeGreaterThan(25);
    expect(eventsOf(agent, "ApprovalResolved")).toMatchObject([
      { isAllowed: false, reason: "there was no answer within 0 s" },
    ]);
    expect(user.withdrawn).toEqual([true]);
  });

  test("a question about the run without an answer in time is none, and the guardian decides", async () => {
    const user = noUser();
    const agent = testAgent(scriptedModel([...loop, ...loop, done]), [same], {
      askAboutRun: (_question, signal) => user.ask(signal),
      answerTimeoutMs: 30,
    });
    expect(await agent.run()).toMatchObject({ reason: "doom_loop" });
    expect(eventsOf(agent, "QuestionAsked")[0]?.answerBy).toBeGreaterThan(1_700_000_000_000);
    expect(eventsOf(agent, "QuestionAnswered")).toMatchObject([{ answer: "none" }]);
    expect(user.withdrawn).toEqual([true]);
  });

  test("without a limit there is no such time, and the events say who answered", async () => {
    const askAboutRun: AskAboutRun = async () => ({ type: "stop", by: "remote" });
    const agent = testAgent(scriptedModel([calls("write_note", {}), ...loop, done]), [write, same], {
      gate: { decide: async (call) => (call.tool === "same" ? { tier: 0, decision: "allow", reason: "" } : ask) },
      approve: async () => ({ isAllowed: true, by: "terminal" }),
      askAboutRun,
    });
    await agent.run();
    expect(eventsOf(agent, "ApprovalRequested")[0]).not.toHaveProperty("answerBy");
    expect(eventsOf(agent, "QuestionAsked")[0]).not.toHaveProperty("answerBy");
    expect(eventsOf(agent, "ApprovalResolved")).toMatchObject([{ isAllowed: true, by: "terminal" }]);
    expect(eventsOf(agent, "QuestionAnswered")).toMatchObject([{ answer: "stop", by: "remote" }]);
  });

  test("the option must be a number above 0", () => {
    for (const answerTimeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => testAgent(scriptedModel([done]), [], { answerTimeoutMs })).toThrow(
        "Expected the option `answerTimeoutMs` to be a number above 0",
      );
  });
});

const ask = { tier: 2, decision: "ask", reason: "Writes a file." } as const;

describe("ask_user", () => {
  const question = { question: "Which port?" };

  test("its start has the time, and a question without an answer in time is withdrawn", async () => {
    const user = noUser();
    const tools = askUser(30, (_question, signal) => user.ask(signal));
    const agent = testAgent(scriptedModel([calls("ask_user", question), done]), tools);
    await agent.run();
    const [start] = eventsOf(agent, "ToolStart");
    expect((start?.answerBy ?? 0) - (start?.at ?? 0)).toBeGreaterThan(25);
    expect((await agent.results())[0]).toMatchObject({
      status: "error",
      content: "The user gave no answer. Decide yourself and say in your answer what you assumed.",
    });
    expect(user.withdrawn).toEqual([true]);
  });

  test("passes the id of its call, and any answer counts", async () => {
    const asked: unknown[] = [];
    const tools = askUser(undefined, async (each) => {
      asked.push(each);
      return "late";
    });
    const agent = testAgent(scriptedModel([calls("ask_user", question), done]), tools);
    await agent.run();
    const [start] = eventsOf(agent, "ToolStart");
    expect(asked).toEqual([{ callId: start?.callId, text: "Which port?", choices: [] }]);
    expect(start).not.toHaveProperty("answerBy");
    expect((await agent.results())[0]?.content).toBe("The user answered: late");
    expect(eventsOf(agent, "StateChanged").map(({ state }) => state)).toEqual(["waiting_for_input", "running"]);
  });
});

describe("a question is saved before the run waits, so that other processes can read it", () => {
  const lastSaved = async (stores: Stores) => (await stores.events.after(session, 0)).slice(-2).map(({ type }) => type);

  test("of the agent", async () => {
    const stores = memoryStores();
    const saved: (readonly string[])[] = [];
    const tools = askUser(undefined, async () => {
      saved.push(await lastSaved(stores));
      return "8080";
    });
    await testAgent(scriptedModel([calls("ask_user", { question: "Which port?" }), done]), tools, { stores }).run();
    expect(saved).toEqual([["StateChanged", "ToolStart"]]);
  });

  test("about a call", async () => {
    const stores = memoryStores();
    const saved: (readonly string[])[] = [];
    const approve = async () => {
      saved.push(await lastSaved(stores));
      return { isAllowed: false };
    };
    const options = { gate: askingGate, approve, stores };
    await testAgent(scriptedModel([calls("write_note", {}), done]), [write], options).run();
    expect(saved).toEqual([["ApprovalRequested", "StateChanged"]]);
  });
});
