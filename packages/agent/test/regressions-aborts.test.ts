import { memoryStores, ok, type Run, type SessionStore } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { askingGate, never } from "./crashing-stores.ts";
import { calls, done, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

describe("a slow judge on the last allowed turn", () => {
  const slowJudge = (advance: (ms: number) => void, isAccepted: (isAnswer: boolean) => boolean) => ({
    async evaluate({ isAnswer }: { readonly isAnswer: boolean }) {
      for (let ticks = 0; ticks < 3; ticks += 1) {
        advance(10_000);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return isAccepted(isAnswer) ? ({ type: "accept" } as const) : ({ type: "continue" } as const);
    },
  });

  test("accepts an answer", async () => {
    const agent = testAgent(scriptedModel([done]), [], {
      settings: { maxTurns: 1 },
      judge: slowJudge(
        (ms) => agent.clock.advance(ms),
        () => true,
      ),
    });
    const result = await agent.runtime.runWithGoal(session, "Go.", { text: "Done." }).result;
    expect(result.reason).toBe("goal_accepted");
  });

  test("accepts a turn with calls", async () => {
    const note = tool("note", "mutate", async () => ok("noted"));
    const agent = testAgent(scriptedModel([calls("note", { a: 1 }), done]), [note], {
      settings: { maxTurns: 1 },
      judge: slowJudge(
        (ms) => agent.clock.advance(ms),
        (isAnswer) => !isAnswer,
      ),
    });
    const result = await agent.runtime.runWithGoal(session, "Go.", { text: "Done." }).result;
    expect(result.reason).toBe("goal_accepted");
  });
});

test("after a cancel no second approval is requested", async () => {
  const note = tool("note", "mutate", async () => ok("noted"));
  let requests = 0;
  const agent = testAgent(scriptedModel([calls("note", { a: 1 }, { a: 2 }), done]), [note], {
    gate: askingGate,
    attended: true,
    approve() {
      requests += 1;
      run.cancel();
      return never();
    },
  });
  const run: Run = agent.runtime.run(session, "Go.");
  expect((await run.result).reason).toBe("cancelled");
  expect(requests).toBe(1);
});

test("a listener that answers the end of a run with messages does not keep it running", async () => {
  const agent = testAgent(scriptedModel([], { afterLast: { text: "x", calls: [{ tool: "nope", input: {} }] } }), [], {
    settings: { maxTurns: 3 },
  });
  const accepted: Promise<boolean>[] = [];
  agent.runtime.bus.subscribe(({ type }) => {
    if (type === "BudgetExceeded" && accepted.length < 100) accepted.push(run.steer("Please wrap up."));
  });
  const run: Run = agent.runtime.run(session, "Go.");
  await run.result;
  expect(accepted.length).toBeLessThan(10);
});

test("only true allows a call, and a gate without a valid decision denies", async () => {
  const executed: unknown[] = [];
  const note = tool("note", "mutate", async (input) => {
    executed.push(input);
    return ok("noted");
  });
  const model = () => scriptedModel([calls("note", { a: 1 }), done]);
  const approve = async () => ({ isAllowed: "no" }) as never; // from a program without types
  await testAgent(model(), [note], { gate: askingGate, attended: true, approve }).run();
  const decide = async () => ({ tier: 0, decision: "maybe" }) as never;
  const agent = testAgent(model(), [note], { gate: { decide } });
  await agent.run();
  expect(executed).toEqual([]);
  expect((await agent.results()).map(({ content }) => content)).toEqual(["Not run: the gate gave no valid decision."]);
});

test("wrong steering and controls throw a sentence at once", async () => {
  const run = testAgent(scriptedModel([done])).runtime.run(session, "Go.");
  expect(() => run.steer(5 as never)).toThrow("Expected a message as text, got number.");
  expect(() => run.control({ type: "bogus" } as never)).toThrow(
    'Expected a control of type limit, mute or unmute, got "bogus".',
  );
  expect((await run.result).reason).toBe("answered");
});

test("results stay in the order of their calls if the calls cannot be saved before they start", async () => {
  const stores = memoryStores();
  const commit: SessionStore["commit"] = async (lease, parts) => {
    if ((parts.unansweredCalls ?? []).length > 0) throw new Error("The disk is full.");
    await stores.sessions.commit(lease, parts);
  };
  const note = tool("note", "mutate", async () => ok("noted"));
  const agent = testAgent(scriptedModel([calls("note", { a: 1 }, { deny: 1 }, { a: 2 }), done]), [note], {
    stores: { ...stores, sessions: { ...stores.sessions, commit } },
    gate: {
      decide: async ({ input }) => ({ tier: 0, decision: input?.["deny"] === 1 ? "deny" : "allow", reason: "a test" }),
    },
  });
  expect((await agent.runtime.run(session, "Go.").result).reason).toBe("internal_error");
  expect((await agent.results()).map(({ status }) => status)).toEqual(["interrupted", "denied", "interrupted"]);
});

test("a subagent whose result rejects causes no unhandled rejection", async () => {
  const stores = memoryStores();
  const release: SessionStore["release"] = (lease) => {
    if (lease.sessionId !== session) throw new Error("The release failed.");
    return stores.sessions.release(lease);
  };
  const unhandled: unknown[] = [];
  const runnersListeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (error) => unhandled.push(error));
  const agent = testAgent(scriptedModel([calls("spawn", { task: "x" }), done, done]), [], {
    stores: { ...stores, sessions: { ...stores.sessions, release } },
    subagents: true,
  });
  await agent.runtime.run(session, "Go.").result;
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.removeAllListeners("unhandledRejection");
  for (const listener of runnersListeners) process.on("unhandledRejection", listener);
  expect(unhandled).toEqual([]);
});
