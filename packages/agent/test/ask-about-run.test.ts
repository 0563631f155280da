import { type AskAboutRun, memoryStores, ok, type Run, type RunAnswer, type RunQuestion } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { crashingStores, never } from "./crashing-stores.ts";
import { calls, done, tool } from "./fault-fixture.ts";
import { pairingProblems } from "./run-checks.ts";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

const same = tool("same", "read", async () => ok("nothing new"));
const loops = (count: number): readonly ScriptedTurn[] => Array.from({ length: count }, () => calls("same", {}));
const pages = (count: number): readonly ScriptedTurn[] =>
  Array.from({ length: count }, (_, page) => calls("look", { page }));
const look = tool("look", "read", async (input) => ok(`page ${JSON.stringify(input)} is about sheep`));

/** A user who gives these answers, then none; and the questions that were asked. */
function user(...answers: readonly (RunAnswer | undefined)[]) {
  const questions: RunQuestion[] = [];
  const askAboutRun: AskAboutRun = async (question) => {
    questions.push(question);
    return answers[questions.length - 1];
  };
  return { questions, askAboutRun };
}

const answersOf = (agent: TestAgent) =>
  agent.events.flatMap((event) => (event.type === "QuestionAnswered" ? [event.answer] : []));
const savedTexts = async (agent: TestAgent) =>
  (await agent.runtime.stores.sessions.load(session)).messages.flatMap((message) =>
    message.role === "user" ? [message.text] : [],
  );

describe("before the guardian refuses calls in an attended run, the user is asked", () => {
  test("stop ends the run at once, with the guardian's reason", async () => {
    const { questions, askAboutRun } = user({ type: "stop" });
    const price = () => 10_000_000;
    const agent = testAgent(scriptedModel([...loops(20), done]), [same], { askAboutRun, price, policy: defaultPolicy });
    const result = await agent.run();
    const text =
      'This exact call to "same" has been made 5 times with the same outcome: "nothing new". ' +
      "It has cost $0.04 so far.";
    expect(result).toMatchObject({ reason: "doom_loop", state: "error", exitCode: 5, turns: 5, isStoppedByUser: true });
    expect(result.problem).toBe(`${text} The user ended the run.`);
    const ifContinued = { type: "mute", episode: "e1" };
    expect(questions).toMatchObject([{ id: "e1/block", text, ifContinued, turns: 5, costNanoUsd: 50_000_000 }]);
    expect(agent.count("ToolBlocked")).toBe(0);
  });

  test("continue mutes the episode: it is neither refused, nor ended, nor asked about again", async () => {
    const { questions, askAboutRun } = user({ type: "continue" }, { type: "stop" });
    const agent = testAgent(scriptedModel([...loops(20), done]), [same], { askAboutRun });
    expect(await agent.run()).toMatchObject({ reason: "answered", turns: 21 });
    expect(questions).toHaveLength(1);
    expect(agent.count("ToolBlocked")).toBe(0);
    expect(agent.events.filter(({ type }) => type === "GuardianMuted")).toMatchObject([{ episode: "e1" }]);
    expect((await savedTexts(agent)).filter((text) => text.includes("From now on"))).toEqual([]);
  });

  test("tell sends the user's words to the model in place of the notice, and the call is allowed", async () => {
    const { askAboutRun } = user({ type: "tell", text: "The file is gone, use page 2." });
    const model = scriptedModel([...loops(6), done]);
    const agent = testAgent(model, [same], { askAboutRun });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(agent.count("ToolBlocked")).toBe(0);
    expect(model.requests[5]?.text).toContain("The file is gone, use page 2.");
    expect((await savedTexts(agent)).filter((text) => text.includes("From now on"))).toEqual([]);
    expect(agent.events.filter(({ type }) => type === "QuestionAnswered")).toMatchObject([
      { questionId: "e1/block", answer: "tell", text: "The file is gone, use page 2." },
    ]);
    expect([agent.count("GuardianMuted"), agent.count("GuardianRecovered")]).toEqual([0, 0]);
  });

  test.each<readonly [string, AskAboutRun]>([
    ["no answer", async () => undefined],
    ["a failing question", () => Promise.reject(new Error("the input is closed"))],
    ["an unknown answer", async () => ({ type: "perhaps" }) as never],
  ])("%s: the block and the halt take effect, and nothing is asked twice", async (_, askAboutRun) => {
    const agent = testAgent(scriptedModel([...loops(20), done]), [same], { askAboutRun });
    const unattended = testAgent(scriptedModel([...loops(20), done]), [same]);
    const [result, expected] = [await agent.run(), await unattended.run()];
    expect([result.reason, result.turns]).toEqual([expected.reason, expected.turns]);
    expect(agent.count("ToolBlocked")).toBe(unattended.count("ToolBlocked"));
    expect(answersOf(agent)).toEqual(["none"]);
    expect(result.interventions.filter(({ question }) => question !== undefined).map(({ id }) => id)).toEqual([
      "e1/block",
    ]);
  });

  test("an attended run that cannot ask publishes no questions", async () => {
    const agent = testAgent(scriptedModel([...loops(20), done]), [same], { attended: true });
    const { reason, interventions } = await agent.run();
    expect(reason).toBe("doom_loop");
    expect(interventions.some(({ question }) => question !== undefined)).toBe(false);
  });

  test("an unattended run does not ask", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const agent = testAgent(scriptedModel([...loops(20), done]), [same], { askAboutRun, attended: false });
    expect(await agent.run()).toMatchObject({ reason: "doom_loop" });
    expect(questions).toEqual([]);
  });

  test("while the user thinks, the run waits for input and its time does not pass", async () => {
    const agent = testAgent(scriptedModel([...loops(6), done]), [same], {
      settings: { maxDurationSecs: 60 },
      askAboutRun: async () => {
        for (let minute = 0; minute < 10; minute++) agent.clock.advance(60_000);
        return { type: "continue" };
      },
    });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    const states = agent.events.flatMap((event) => (event.type === "StateChanged" ? [event.state] : []));
    expect(states).toContain("waiting_for_input");
    const types = agent.types();
    expect(types.indexOf("QuestionAnswered")).toBeGreaterThan(types.indexOf("QuestionAsked"));
  });

  test("a cancelled run does not wait for the answer", async () => {
    let run: Run | undefined;
    const agent = testAgent(scriptedModel([...loops(20), done]), [same], {
      askAboutRun: () => {
        run?.cancel();
        return never();
      },
    });
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "cancelled", turns: 5 });
    expect(answersOf(agent)).toEqual(["stop"]);
  });

  test("after a crash during the question no result is lost, and the user is asked again", async () => {
    const stores = memoryStores();
    const process = crashingStores(stores);
    let onAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const first = testAgent(scriptedModel(loops(20)), [tool("same", "mutate", async () => ok("nothing new"))], {
      stores: process.stores,
      askAboutRun() {
        onAsked();
        return never();
      },
    });
    first.runtime.run(session, "Go.");
    await asked;
    await process.crash();

    const { questions, askAboutRun } = user({ type: "continue" });
    const resumed = testAgent(scriptedModel([...loops(3), done]), [same], { stores, askAboutRun });
    expect(await (await resumed.runtime.resume(session)).result).toMatchObject({ reason: "answered" });
    expect((await resumed.results()).every(({ status }) => status === "ok")).toBe(true);
    expect(pairingProblems((await stores.sessions.load(session)).messages)).toEqual([]);
    expect(questions).toHaveLength(1);
  });
});

describe("before the guardian ends an attended run, the user is asked", () => {
  /** Searches that bring nothing new: the detector `no-progress` warns and halts, but never blocks. */
  const agreeing = { opinion: { text: '{"verdict":"stuck"}' } };
  const searches = (count: number) =>
    Array.from({ length: count }, (_, n) => calls("search", { query: `word${n} thing${n * 7}` }));
  const search = tool("search", "read", async () =>
    ok("Nothing was found in the whole catalogue, which has 4,112 entries in nine chapters; try other words."),
  );

  test("a detector without a block asks at its halt", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const agent = testAgent(scriptedModel([...searches(16), done], agreeing), [search], { askAboutRun });
    expect(await agent.run()).toMatchObject({ reason: "answered", turns: 17 });
    expect(questions.map(({ id, ifContinued }) => [id, ifContinued])).toEqual([
      ["e1/halt", { type: "mute", episode: "e1" }],
    ]);
  });

  test("stop ends it as the guardian would have", async () => {
    const alone = await testAgent(scriptedModel([...searches(16), done], agreeing), [search]).run();
    const { askAboutRun } = user({ type: "stop" });
    const asked = await testAgent(scriptedModel([...searches(16), done], agreeing), [search], { askAboutRun }).run();
    expect(asked).toMatchObject({ reason: alone.reason, turns: alone.turns, problem: alone.problem, exitCode: 5 });
    expect(asked.reason).toBe("no_progress");
  });

  test("tell is read by the model in the next turn", async () => {
    const { askAboutRun } = user({ type: "tell", text: "It is not in the catalogue." });
    const model = scriptedModel([...searches(10), done], agreeing);
    const agent = testAgent(model, [search], { askAboutRun });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(model.requests.at(-1)?.text).toContain("It is not in the catalogue.");
  });

  test("a silent request is aborted, and made again after continue", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const silent: ScriptedTurn = { fault: { type: "no-answer" } };
    const model = scriptedModel([silent, silent, done]);
    const agent = testAgent(model, [], { askAboutRun, settings: { firstByteSecs: 100_000 } });
    const run = agent.runtime.run(session, "Hello?");
    const advancing = setInterval(() => agent.clock.advance(60_000), 1);
    const result = await run.result.finally(() => clearInterval(advancing));
    expect(result).toMatchObject({ reason: "answered" });
    expect(questions.map(({ intervention }) => intervention.detector)).toEqual(["stall"]);
    expect(model.requests).toHaveLength(3);
  });

  test("a chanting model is not interrupted again after continue, and reads a message to continue with", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const chant: ScriptedTurn = { text: "I will look at it now. ".repeat(400) };
    const model = scriptedModel([chant, chant, chant, done]);
    const agent = testAgent(model, [], { askAboutRun });
    expect(await agent.run()).toMatchObject({ reason: "answered", text: "Done." });
    expect(questions.map(({ intervention }) => intervention.detector)).toEqual(["chant"]);
    expect(await savedTexts(agent)).toContain("Continue.");
  });
});

describe("an attended run that has used its turns or its time asks", () => {
  test("continue adds the same amount again, each time", async () => {
    const { questions, askAboutRun } = user({ type: "continue" }, { type: "continue" });
    const settings = { maxTurns: 5 };
    const agent = testAgent(scriptedModel([...pages(12), done]), [look], { askAboutRun, settings });
    expect(await agent.run()).toMatchObject({ reason: "answered", turns: 13 });
    expect(questions.map(({ text, ifContinued }) => [text, ifContinued])).toEqual([
      ["This run has used 5 of 5 turns (100 %).", { type: "limit", limit: "turns", stop: 10 }],
      ["This run has used 10 of 10 turns (100 %).", { type: "limit", limit: "turns", stop: 15 }],
    ]);
    expect(agent.count("LimitChanged")).toBe(2);
  });

  test.each([["stop", { type: "stop" }] as const, ["no answer", undefined] as const])(
    "%s ends it as an unattended run",
    async (_, answer) => {
      const { askAboutRun } = user(answer);
      const settings = { maxTurns: 5 };
      const agent = testAgent(scriptedModel([...pages(12), done]), [look], { askAboutRun, settings });
      const alone = testAgent(scriptedModel([...pages(12), done]), [look], { settings });
      const [asked, expected] = [await agent.run(), await alone.run()];
      const { reason, exitCode, turns, problem } = expected;
      expect(asked).toMatchObject({ reason, exitCode, turns, problem });
      expect(reason).toBe("max_turns");
    },
  );

  test("tell continues and sends the words", async () => {
    const { askAboutRun } = user({ type: "tell", text: "Only three more pages." });
    const model = scriptedModel([...pages(7), done]);
    const agent = testAgent(model, [look], { askAboutRun, settings: { maxTurns: 5 } });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(model.requests[5]?.text).toContain("Only three more pages.");
  });

  test("an answer in the last allowed turn is given without a question", async () => {
    const { questions, askAboutRun } = user({ type: "stop" });
    const agent = testAgent(scriptedModel([...pages(4), done]), [look], { askAboutRun, settings: { maxTurns: 5 } });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(questions).toEqual([]);
  });

  test("time that is up during a reply aborts nothing: its calls are executed after continue", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const slow = (): ScriptedTurn => {
      for (let minute = 0; minute < 3; minute++) agent.clock.advance(30_000);
      return calls("look", { page: 1 });
    };
    const agent: TestAgent = testAgent(scriptedModel([slow, done]), [look], {
      askAboutRun,
      settings: { maxDurationSecs: 60 },
    });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(questions.map(({ intervention }) => intervention.detector)).toEqual(["time"]);
    expect((await agent.results()).map(({ status }) => status)).toEqual(["ok"]);
  });

  test("time that is up while a tool runs lets the tool finish", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const slowTool = tool("look", "read", async (_, { signal }) => {
      for (let minute = 0; minute < 3; minute++) agent.clock.advance(30_000);
      return ok(signal.aborted ? "aborted" : "finished");
    });
    const agent: TestAgent = testAgent(scriptedModel([...pages(1), done]), [slowTool], {
      askAboutRun,
      settings: { maxDurationSecs: 60 },
    });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(questions).toHaveLength(1);
    expect((await agent.results()).map(({ content }) => content)).toEqual(["finished"]);
  });

  test("a money limit is never asked about", async () => {
    const { questions, askAboutRun } = user({ type: "continue" });
    const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 300 } } };
    const agent = testAgent(scriptedModel([...pages(12), done]), [look], { askAboutRun, policy, price: () => 100 });
    expect(await agent.run()).toMatchObject({ reason: "run_budget" });
    expect(questions).toEqual([]);
  });
});
