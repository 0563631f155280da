import {
  type AskAboutRun,
  createEventBus,
  type Model,
  ok,
  type RunAnswer,
  type RunQuestion,
  type RuntimeOptions,
} from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { never } from "./crashing-stores.ts";
import { calls, done, tool } from "./fault-fixture.ts";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

const pages = (count: number): readonly ScriptedTurn[] =>
  Array.from({ length: count }, (_, page) => calls("look", { page }));
const look = tool("look", "read", async (input) => ok(`page ${JSON.stringify(input)} is about sheep`));

function user(...answers: readonly RunAnswer[]) {
  const questions: RunQuestion[] = [];
  const askAboutRun: AskAboutRun = async (question) => {
    questions.push(question);
    return answers[questions.length - 1];
  };
  return { questions, askAboutRun };
}

const detectorsOf = (questions: readonly RunQuestion[]) => questions.map(({ intervention }) => intervention.detector);

/** Lets time pass while a run waits, until it has ended. */
async function waitFor(agent: TestAgent): Promise<string> {
  const run = agent.runtime.run(session, "Go.");
  let reason: string | undefined;
  void run.result.then((result) => {
    reason = result.reason;
  });
  for (let step = 0; step < 400 && reason === undefined; step += 1) {
    agent.clock.advance(5_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  run.cancel();
  await run.result;
  return reason ?? "still waiting";
}

test("a limit that is reached together with a loop is asked about after the loop", async () => {
  const nothing = "Nothing was found in the whole catalogue, which has 4,112 entries in nine chapters.";
  const search = tool("search", "read", async () => ok(nothing));
  const searches = Array.from({ length: 40 }, (_, n) => calls("search", { query: `word${n} thing${n * 7}` }));
  const { questions, askAboutRun } = user({ type: "continue" }, { type: "stop" });
  const model = scriptedModel([...searches, done], { opinion: { text: '{"verdict":"stuck"}' } });
  const agent = testAgent(model, [search], { askAboutRun, settings: { maxTurns: 10 } });
  expect(await agent.run()).toMatchObject({ reason: "max_turns", turns: 10 });
  expect(detectorsOf(questions)).toEqual(["no-progress", "turns"]);
});

test("stop at a question about a loop is the reason, also if a limit is reached in the same turn", async () => {
  const same = tool("look", "read", async () => ok("nothing new"));
  const { questions, askAboutRun } = user({ type: "stop" });
  const loop = Array.from({ length: 9 }, () => calls("look", { page: 1 }));
  const agent = testAgent(scriptedModel([...loop, done]), [same], { askAboutRun, settings: { maxTurns: 5 } });
  expect(await agent.run()).toMatchObject({ reason: "doom_loop", turns: 5 });
  expect(detectorsOf(questions)).toEqual(["doom-loop"]);
});

test("two limits that are reached in one turn are both asked about", async () => {
  const { questions, askAboutRun } = user({ type: "continue" }, { type: "continue" });
  const slow = tool("look", "read", async (input) => {
    for (let step = 0; step < 2; step += 1) agent.clock.advance(20_000);
    return ok(`page ${JSON.stringify(input)}`);
  });
  const settings = { maxTurns: 1, maxDurationSecs: 30 };
  const agent: TestAgent = testAgent(scriptedModel([...pages(1), done]), [slow], { askAboutRun, settings });
  expect((await agent.run()).reason).toBe("answered");
  expect(detectorsOf(questions).toSorted()).toEqual(["time", "turns"]);
});

test("a limit that the user set during the run can be continued by the same amount", async () => {
  const { questions, askAboutRun } = user({ type: "continue" }, { type: "stop" });
  const settings = { maxTurns: 0 };
  const agent = testAgent(scriptedModel([...pages(8), done]), [look], { askAboutRun, settings });
  const run = agent.runtime.run(session, "Go.");
  run.control({ type: "limit", limit: "turns", stop: 3 });
  expect(await run.result).toMatchObject({ reason: "max_turns", turns: 6 });
  expect(questions.map(({ ifContinued }) => ifContinued)).toMatchObject([{ stop: 6 }, { stop: 12 }]);
});

test("a side effect that is repeated after the user's message ends the run", async () => {
  let sent = 0;
  const mail = tool("send_email", "send", async () => {
    sent += 1;
    return ok("sent");
  });
  const mails = Array.from({ length: 14 }, () => calls("send_email", { to: "ada@example.com", body: "Here it is." }));
  const { questions, askAboutRun } = user({ type: "tell", text: "Never send this mail again!" });
  const agent = testAgent(scriptedModel([...mails, done]), [mail], { askAboutRun, policy: defaultPolicy });
  expect(await agent.run()).toMatchObject({ reason: "side_effects" });
  expect([questions.length, sent]).toEqual([1, 5]);
});

test("a message that the run can no longer accept is not reported as sent", async () => {
  const agent = testAgent(scriptedModel([...pages(4), done]), [look], {
    settings: { maxTurns: 2 },
    askAboutRun: async () => {
      run.cancel();
      return { type: "tell", text: "Continue." };
    },
  });
  const run = agent.runtime.run(session, "Go.");
  await run.result;
  const answers = agent.events.flatMap((event) => (event.type === "QuestionAnswered" ? [event.answer] : []));
  expect(answers).toEqual(["stop"]);
});

const hanging: readonly (readonly [string, Partial<RuntimeOptions>])[] = [
  ["gate", { gate: { decide: () => never() } }],
  ["guard", { guards: [{ call: () => never() }] }],
];

test.each(hanging)("the user is asked about a stall while a %s does not answer", async (_, options) => {
  const { questions, askAboutRun } = user({ type: "stop" });
  const settings = { maxDurationSecs: 0 };
  const agent = testAgent(scriptedModel([...pages(1), done]), [look], { askAboutRun, settings, ...options });
  expect([await waitFor(agent), detectorsOf(questions)]).toEqual(["stall", ["stall"]]);
});

test("the user is asked at the time limit while a provider is waited for", async () => {
  const { questions, askAboutRun } = user({ type: "stop" });
  const limited = scriptedModel([], { afterLast: { fault: { type: "status", status: 429, retryAfter: 3_600 } } });
  const agent = testAgent(limited, [], { askAboutRun, settings: { maxDurationSecs: 60 } });
  expect([await waitFor(agent), detectorsOf(questions)]).toEqual(["timeout", ["time"]]);
});

test("the note about the budget is about the run's own budget, and never follows the answer", async () => {
  const limits = { "session-cost": { stop: 1_000 }, "run-cost": { stop: 1_000_000 } };
  const policy = { ...defaultPolicy, limits };
  const agent = testAgent(scriptedModel([...pages(8), done]), [look], { policy, price: () => 105 });
  await agent.run();
  const { messages } = await agent.runtime.stores.sessions.load(session);
  expect(messages.filter((message) => message.role === "user" && message.reason === "near_budget")).toEqual([]);
  const poor = testAgent(scriptedModel([done]), [look], {
    policy: { ...defaultPolicy, limits: { "run-cost": { stop: 1_000 } } },
    price: () => 950,
  });
  await poor.run();
  expect((await poor.runtime.stores.sessions.load(session)).messages.at(-1)?.role).toBe("assistant");
});

test("a secret that is split over the output of a call is not published when another call prints in between", () => {
  const bus = createEventBus({ now: () => 0 });
  const seen: string[] = [];
  bus.subscribe((event) => void (event.type === "ToolOutput" && seen.push(event.text)));
  const run = { sessionId: "ses_1", runId: "run_1" };
  const print = (callId: string, text: string) => bus.emit(run, { type: "ToolOutput", callId, text });
  print("a", "key=sk-ant-");
  print("b", "hello there ");
  print("a", "api03-AAAAAAAAAAAAAAAAAAAABBBBBBBBBB \n");
  bus.emit(run, { type: "ToolEnd", callId: "a", tool: "bash", status: "ok", content: "", ms: 1 });
  expect(seen.join("")).toContain("hello there");
  expect(seen.join("")).not.toContain("AAAA");
});

test("an unreadable answer does not end a request that waits for an overloaded provider", async () => {
  let requests = 0;
  const scripted = scriptedModel([done]);
  const model: Model = {
    ...scripted,
    doStream: async (options) => {
      requests += 1;
      if (requests === 5) throw new Error("JSON parsing failed: Text: <html>");
      if (requests < 8) throw Object.assign(new Error("overloaded"), { statusCode: 529, name: "AI_APICallError" });
      return scripted.doStream(options);
    },
  };
  const agent = testAgent(model, [], { settings: { maxDurationSecs: 0 } });
  expect([await waitFor(agent), requests]).toEqual(["answered", 8]);
});

test("a stall that the user lets continue is asked about again when it is silent again", async () => {
  const { questions, askAboutRun } = user({ type: "continue" }, { type: "stop" });
  const silent = scriptedModel([], { afterLast: { fault: { type: "no-answer" } } });
  const settings = { maxDurationSecs: 0, firstByteSecs: 0 };
  const agent = testAgent(silent, [], { askAboutRun, settings });
  expect([await waitFor(agent), detectorsOf(questions)]).toEqual(["stall", ["stall", "stall"]]);
});

test("time that the user takes for an approval is not time of the call", async () => {
  const agent: TestAgent = testAgent(scriptedModel([...pages(1), done]), [look], {
    gate: { decide: async () => ({ tier: 3, decision: "ask", reason: "it asks" }) },
    approve: async () => {
      for (let step = 0; step < 8; step += 1) agent.clock.advance(25_000);
      return { isAllowed: true };
    },
  });
  const { reason, interventions } = await agent.run();
  expect([reason, interventions]).toEqual(["answered", []]);
});

test("a model whose provider asks for a long wait is replaced by its fallback at once", async () => {
  const limited = scriptedModel([], { afterLast: { fault: { type: "status", status: 429, retryAfter: 3_600 } } });
  const agent = testAgent(limited, [], { models: [limited, scriptedModel([done])] });
  expect((await agent.runtime.run(session, "Go.").result).reason).toBe("answered");
  expect(limited.requests).toHaveLength(1);
});

test.each([true, 42, { warning: "no" }])("a guard that returns %j is reported and not asked again", async (value) => {
  const guard = { call: () => value } as unknown as { call(): string }; // a program without types
  const agent = testAgent(scriptedModel([...pages(2), done]), [look], { guards: [guard] });
  expect((await agent.run()).reason).toBe("answered");
  expect(agent.events.filter(({ type }) => type === "GuardFailed")).toHaveLength(1);
});
