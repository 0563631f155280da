import {
  type AgentEvent,
  type Commit,
  memoryStores,
  ok,
  type Reason,
  type Run,
  type RuntimeOptions,
  type SessionStore,
  type Stores,
  type Verdict,
} from "@sheepdog/agent";
import { type ScriptedModel, scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { askingGate, never, silentUser } from "./crashing-stores.ts";
import { calls, done, storedMessages, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

const isEnd = ({ type }: AgentEvent) => type === "RunComplete" || type === "RunError";
const withSessions = (stores: Stores, more: Partial<SessionStore>): Stores => ({
  ...stores,
  sessions: { ...stores.sessions, ...more },
});
const note = tool("note", "mutate", async () => ok("noted"));

/** Stores that call `act` before each commit. */
function withCommitHook(stores: Stores, act: (commit: Commit) => void): Stores {
  return withSessions(stores, {
    async commit(lease, written) {
      act(written);
      return stores.sessions.commit(lease, written);
    },
  });
}

/** A model whose run starts a subagent, which starts another one, which calls a tool. */
const threeDeep = (name: string) =>
  scriptedModel([], {
    afterLast({ text }) {
      if (text.includes("PARENT")) return calls("spawn", { task: "DEEPER" });
      return text.includes("DEEPER") ? calls("spawn", { task: "the deepest" }) : calls(name, {});
    },
  });

test("the summary of a run that was steered counts the calls before the steering too", async () => {
  const steering = tool("note", "mutate", async () => {
    run.steer("Hurry up.");
    return ok("noted");
  });
  const agent = testAgent(scriptedModel([calls("note", { n: 1 }), calls("note", { n: 2 })]), [steering], {
    settings: { maxTurns: 2 },
  });
  const run: Run = agent.runtime.run(session, "Go.");
  expect((await run.result).text).toContain("2 tool calls were made.");
});

describe("cancel", () => {
  test("takes effect while a tool starts", async () => {
    const stuck = tool("stuck", "mutate", () => {
      run.cancel();
      return never();
    });
    const agent = testAgent(scriptedModel([calls("stuck", {}), done]), [stuck], {
      settings: { toolTimeoutSecs: Number.POSITIVE_INFINITY },
    });
    const run: Run = agent.runtime.run(session, "Go.");
    expect((await agent.check(run)).reason).toBe("cancelled");
  });

  test.each(["ChildStarted", "ToolStart"] as const)(
    "at %s of the deepest subagent: the result comes after all of them have published their end",
    async (type) => {
      const stores = memoryStores();
      const slow = withSessions(stores, {
        async commit(lease, written) {
          await new Promise((resolve) => setImmediate(resolve));
          return stores.sessions.commit(lease, written);
        },
      });
      const agent = testAgent(threeDeep("hold"), [tool("hold", "mutate", never)], { stores: slow, subagents: true });
      const children: string[] = [];
      const run = agent.runtime.run(session, "PARENT");
      agent.runtime.bus.subscribe((event) => {
        if (event.type === "ChildStarted") children.push(event.childId);
        if (event.type === type && children.length === 2 && (event.type !== "ToolStart" || event.tool === "hold"))
          run.cancel();
      });
      expect((await run.result).reason).toBe("cancelled");
      const eventCount = agent.events.length;
      const states = await Promise.all(
        children.map(async (id) => (await stores.sessions.load(id)).runs.map(({ state }) => state)),
      );
      expect(states).toEqual([["cancelled"], ["cancelled"]]);
      for (const id of [session, ...children]) {
        const own = agent.events.filter(({ sessionId }) => sessionId === id);
        expect(own.filter(isEnd)).toEqual([own.at(-1)]);
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(agent.events.slice(eventCount)).toEqual([]);
      expect(agent.types().filter((each) => each === "ChildComplete")).toHaveLength(2);
      expect((await stores.costs.rows(session)).filter(({ state }) => state === "reserved")).toEqual([]);
    },
  );

  test("during the evaluation of the judge ends the run as cancelled", async () => {
    const judge = {
      evaluate() {
        run.cancel();
        return never<Verdict>();
      },
    };
    const agent = testAgent(scriptedModel([done]), [], { judge });
    const run: Run = agent.runtime.runWithGoal(session, "Go.", { text: "All sheep are counted." });
    expect((await agent.check(run)).reason).toBe("cancelled");
  });

  test("in the queue ends the run at once, without a message in the history", async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const model = scriptedModel([
      async () => {
        await held;
        return done;
      },
    ]);
    const agent = testAgent(model);
    const first = agent.runtime.run(session, "First.");
    const second = agent.runtime.run(session, "Second.");
    second.cancel();
    expect(await second.result).toMatchObject({ reason: "cancelled", turns: 0 });
    expect(agent.events.filter(({ runId }) => runId === first.runId).filter(isEnd)).toEqual([]);
    finish();
    expect((await first.result).reason).toBe("answered");
    expect(
      (await storedMessages(agent)).map((message) => (message.role === "user" ? message.text : message.role)),
    ).toEqual(["First.", "assistant"]);
  });
});

describe("a judge", () => {
  const goal = { text: "All sheep are counted." };

  test("that throws escalates the goal", async () => {
    const judge = {
      evaluate: async () => {
        throw new Error("the judge's model is overloaded");
      },
    };
    const agent = testAgent(scriptedModel([done]), [], { judge });
    const result = await agent.check(agent.runtime.runWithGoal(session, "Go.", goal));
    expect(result).toMatchObject({
      reason: "goal_escalated",
      problem: expect.stringContaining("the judge's model is overloaded"),
    });
  });

  test.each([[undefined], [null], ["accept"], [{}], [{ type: "Accept" }]])(
    "that returns %j escalates the goal",
    async (verdict) => {
      const judge = { evaluate: async () => verdict as Verdict }; // untrue on purpose
      const agent = testAgent(scriptedModel([done]), [], { judge });
      expect((await agent.check(agent.runtime.runWithGoal(session, "Go.", goal))).reason).toBe("goal_escalated");
    },
  );
});

describe("steering", () => {
  const goal = { text: "All sheep are counted." };
  const answers = () => scriptedModel([calls("note", {})], { afterLast: done });
  const endings: readonly (readonly [Reason, () => ScriptedModel, Partial<RuntimeOptions>])[] = [
    ["answered", answers, {}],
    ["cancelled", answers, {}],
    ["max_turns", () => scriptedModel([], { afterLast: calls("note", {}) }), { settings: { maxTurns: 2 } }],
    [
      "provider_error",
      () => scriptedModel([calls("note", {})], { afterLast: { fault: { type: "status", status: 401 } } }),
      {},
    ],
    [
      "goal_escalated",
      answers,
      {
        judge: {
          evaluate: async ({ isAnswer }) =>
            isAnswer ? { type: "escalate", reason: "It is too hard." } : { type: "continue" },
        },
      },
    ],
  ];

  /** Steers a run at one step of its stores; with `isFull`, a commit at that step fails. */
  async function steeredAt(step: number, [reason, model, more]: (typeof endings)[number], isFull: boolean) {
    const stores = memoryStores();
    const accepted: Promise<boolean>[] = [];
    let passed = 0;
    const onStep = () => {
      passed += 1;
      if (passed === step) accepted.push(run.steer("And the lambs."));
      return passed === step;
    };
    const watched = withSessions(stores, {
      async commit(lease, written) {
        if (onStep() && isFull) throw new Error("disk full");
        await stores.sessions.commit(lease, written);
        onStep();
      },
      async release(lease) {
        onStep();
        await stores.sessions.release(lease);
        onStep();
      },
    });
    const agent = testAgent(model(), [note], { ...more, stores: watched });
    const { runtime } = agent;
    const run: Run =
      reason === "goal_escalated" ? runtime.runWithGoal(session, "Go.", goal) : runtime.run(session, "Go.");
    if (reason === "cancelled") runtime.bus.subscribe((event) => (event.type === "ToolEnd" ? run.cancel() : undefined));
    const result = await run.result;
    return {
      step,
      accepted: await Promise.all(accepted),
      reason: result.reason,
      isSaved: JSON.stringify(await storedMessages(agent)).includes("And the lambs."),
    };
  }

  async function steeredAtEach(ending: (typeof endings)[number], isFull: boolean) {
    const steered: Awaited<ReturnType<typeof steeredAt>>[] = [];
    for (let step = 1; ; step += 1) {
      const outcome = await steeredAt(step, ending, isFull);
      if (outcome.accepted.length === 0) return steered;
      steered.push(outcome);
    }
  }

  test.each(endings)("that was accepted is in the history, at whichever step it came: %s", async (...ending) => {
    const steered = await steeredAtEach(ending, false);
    expect(steered.filter(({ accepted }) => accepted[0]).length).toBeGreaterThanOrEqual(4);
    expect(steered.filter(({ accepted, isSaved }) => accepted[0] !== isSaved)).toEqual([]);
    expect(steered.filter(({ reason }) => reason !== ending[0])).toEqual([]);
  });

  test.each(endings)(
    "that was accepted is in the history, even if a commit failed at that step: %s",
    async (...ending) => {
      const steered = await steeredAtEach(ending, true);
      expect(steered.filter(({ reason }) => reason === "internal_error").length).toBeGreaterThanOrEqual(2);
      expect(steered.filter(({ accepted, isSaved }) => accepted[0] !== isSaved)).toEqual([]);
    },
  );
});

describe("the last event of a run", () => {
  test("is published once, even if a steering message after it cannot be saved", async () => {
    const stores = memoryStores();
    let isOver = false;
    const accepted: Promise<boolean>[] = [];
    const fullDisk = withCommitHook(stores, () => {
      if (isOver) throw new Error("disk full");
    });
    const agent = testAgent(scriptedModel([done]), [], { stores: fullDisk });
    const run = agent.runtime.run(session, "Go.");
    agent.runtime.bus.subscribe((event) => {
      if (event.type !== "RunComplete") return;
      accepted.push(run.steer("More."));
      isOver = true;
    });
    expect((await agent.check(run)).reason).toBe("answered");
    expect(await Promise.all(accepted)).toEqual([true]);
    expect((await stores.events.after(session, 0)).filter(isEnd).map(({ type }) => type)).toEqual(["RunComplete"]);
    expect((await stores.sessions.load(session)).runs.map(({ state }) => state)).toEqual(["completed"]);
  });

  test("stays the last, and the result stays unchanged, if a time limit passes while the end is saved", async () => {
    const slowStores = withCommitHook(memoryStores(), ({ run }) => {
      if (run?.endedAt !== undefined) agent.clock.advance(60_000);
    });
    const agent = testAgent(scriptedModel([done]), [], { stores: slowStores, settings: { maxDurationSecs: 20 } });
    const result = await agent.run();
    const resultAtEnd = JSON.stringify(result);
    agent.clock.advance(600_000);
    expect(result).toMatchObject({ reason: "answered", interventions: [] });
    expect(JSON.stringify(result)).toBe(resultAtEnd);
    expect(agent.events.at(-1)?.type).toBe("RunComplete");
  });
});

describe("a run", () => {
  test("that loses its lease while it waits for approval ends, and aborts the question", async () => {
    const stores = memoryStores();
    const { asked, approve } = silentUser();
    let question: AbortSignal | undefined;
    const asking = (_call: unknown, _reason: string, signal: AbortSignal) => {
      question = signal;
      return approve();
    };
    const { runtime, clock } = testAgent(scriptedModel([calls("note", {}), done]), [note], {
      stores,
      gate: askingGate,
      attended: true,
      approve: asking,
    });
    const run = runtime.run(session, "Go.");
    await asked;
    const other = { id: "proc_other", pid: 1, host: "elsewhere" };
    expect(await stores.sessions.claim(session, other, clock.now() + 61_000)).toMatchObject({ ok: true });
    clock.advance(20_000);
    expect(await run.result).toMatchObject({
      reason: "internal_error",
      problem: expect.stringMatching(/taken over the session|lease/),
    });
    expect(question?.aborted).toBe(true);
  });

  test("that cannot be started leaves no timer behind", async () => {
    const stores = memoryStores();
    const totals = async () => {
      throw new Error("disk I/O error");
    };
    const { clock } = testAgent(scriptedModel([]));
    let timers = 0;
    const counting: typeof clock = {
      ...clock,
      every(ms, act) {
        timers += 1;
        const stop = clock.every(ms, act);
        return () => {
          timers -= 1;
          stop();
        };
      },
    };
    const { runtime } = testAgent(scriptedModel([]), [], {
      clock: counting,
      stores: { ...stores, costs: { ...stores.costs, totals } },
    });
    for (let times = 0; times < 3; times += 1)
      expect((await runtime.run(session, "Go.").result).problem).toBe("disk I/O error");
    expect(timers).toBe(0);
  });

  test("that could not save a call does not execute it, and its result says so", async () => {
    let ran = 0;
    const counted = tool("note", "mutate", async () => {
      ran += 1;
      return ok("noted");
    });
    const fullDisk = withCommitHook(memoryStores(), ({ unansweredCalls }) => {
      if (unansweredCalls !== undefined) throw new Error("disk full");
    });
    const agent = testAgent(scriptedModel([calls("note", {}, { path: "b" })]), [counted], { stores: fullDisk });
    expect((await agent.run()).reason).toBe("internal_error");
    expect(ran).toBe(0);
    expect((await agent.results()).map(({ content }) => content.split(":")[0])).toEqual(["Not run", "Not run"]);
  });
});
