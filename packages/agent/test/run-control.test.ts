import { ok, type Run, type RunControl } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { done, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

/** A tool with a new result each time, which calls `act` in its nth call. */
function toolActingAt(nth: number, act: () => void) {
  let callCount = 0;
  return tool("look", "read", async () => {
    callCount += 1;
    if (callCount === nth) act();
    return ok(`page ${callCount} has ${callCount * 37} lines`);
  });
}

const lookTurns = (n: number) =>
  Array.from({ length: n }, (_, page) => ({ calls: [{ tool: "look", input: { page } }] }));
const price = () => 100;
const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 300 } } };

describe("controlling a running run", () => {
  test("a raised limit applies at once, and the change is published", async () => {
    let run: Run | undefined;
    const raise: RunControl = { type: "limit", limit: "run-cost", stop: 500 };
    const accepted: (boolean | undefined)[] = [];
    const agent = testAgent(scriptedModel(lookTurns(20)), [toolActingAt(2, () => accepted.push(run?.control(raise)))], {
      price,
      policy,
    });
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "run_budget", costNanoUsd: 500 });
    expect(accepted).toEqual([true]);
    expect(agent.events.filter(({ type }) => type === "LimitChanged")).toMatchObject([
      { limit: "run-cost", stop: 500 },
    ]);
  });

  test("a lowered limit ends the run", async () => {
    let run: Run | undefined;
    const agent = testAgent(
      scriptedModel(lookTurns(20)),
      [toolActingAt(1, () => run?.control({ type: "limit", limit: "turns", stop: 2 }))],
      { price },
    );
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "max_turns", turns: 2 });
  });

  test("a change made before the guardian exists is applied to it", async () => {
    const agent = testAgent(scriptedModel(lookTurns(20)), [toolActingAt(0, () => {})], { price, policy });
    const run = agent.runtime.run(session, "Go.");
    expect(run.control({ type: "limit", limit: "run-cost", stop: 500 })).toBe(true);
    expect(await agent.check(run)).toMatchObject({ reason: "run_budget", costNanoUsd: 500 });
  });

  test("a muted guardian does not intervene, and the mute is published", async () => {
    const same = { calls: [{ tool: "same", input: {} }] };
    const script = [...Array.from({ length: 12 }, () => same), done];
    const unchanging = tool("same", "read", async () => ok("nothing new"));
    expect(await testAgent(scriptedModel(script), [unchanging]).run()).toMatchObject({ reason: "doom_loop" });
    const agent = testAgent(scriptedModel(script), [unchanging]);
    const run = agent.runtime.run(session, "Go.");
    run.control({ type: "mute", tool: "same" });
    expect(await agent.check(run)).toMatchObject({ reason: "answered", interventions: [] });
    expect(agent.events.filter(({ type }) => type === "GuardianMuted")).toMatchObject([{ tool: "same" }]);
  });

  test("after the mute is lifted the guardian acts again, and this is published", async () => {
    const same = { calls: [{ tool: "same", input: {} }] };
    let run: Run | undefined;
    let count = 0;
    const unchanging = tool("same", "read", async () => {
      count += 1;
      if (count === 6) run?.control({ type: "unmute", tool: "same" });
      return ok("nothing new");
    });
    const agent = testAgent(scriptedModel([...Array.from({ length: 20 }, () => same), done]), [unchanging]);
    run = agent.runtime.run(session, "Go.");
    run.control({ type: "mute", tool: "same" });
    expect(await agent.check(run)).toMatchObject({ reason: "doom_loop" });
    expect(agent.events.filter(({ type }) => type === "GuardianUnmuted")).toMatchObject([{ tool: "same" }]);
  });

  test("a run that is over accepts no change", async () => {
    const agent = testAgent(scriptedModel([done]));
    const run = agent.runtime.run(session, "Go.");
    await agent.check(run);
    expect(run.control({ type: "limit", limit: "turns", stop: 1 })).toBe(false);
    expect(agent.count("LimitChanged")).toBe(0);
  });

  test("a run that is being cancelled accepts no change", async () => {
    let run: Run | undefined;
    const accepted: (boolean | undefined)[] = [];
    const act = () => {
      run?.cancel();
      accepted.push(run?.control({ type: "limit", limit: "turns", stop: 50 }));
    };
    const agent = testAgent(scriptedModel(lookTurns(20)), [toolActingAt(1, act)]);
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "cancelled" });
    expect([accepted, agent.count("LimitChanged")]).toEqual([[false], 0]);
  });

  test("the limits in force can be read before the run has started and later", async () => {
    let run: Run | undefined;
    const seenLimits: unknown[] = [];
    const recordLimits = () => seenLimits.push(run?.limits()["run-cost"]?.stop, run?.limits().turns?.stop);
    const agent = testAgent(scriptedModel([...lookTurns(2), done]), [toolActingAt(2, recordLimits)], {
      price,
      policy,
      settings: { maxTurns: 7 },
    });
    run = agent.runtime.run(session, "Go.");
    recordLimits();
    run.control({ type: "limit", limit: "run-cost", stop: 500 });
    recordLimits();
    await agent.check(run);
    expect(seenLimits).toEqual([300, 7, 500, 7, 500, 7]);
  });

  test.each([
    ["before it starts a subagent", 1],
    ["while a subagent runs", 2],
  ])("a limit raised for a run %s applies to its subagents", async (_, nth) => {
    let run: Run | undefined;
    const look = toolActingAt(nth, () => run?.control({ type: "limit", limit: "run-cost", stop: 900 }));
    const child = (calls: number) => [...lookTurns(calls), { text: "Four sheep." }];
    const script = [
      ...lookTurns(1),
      { calls: [{ tool: "spawn", input: { task: "Count the sheep." } }] },
      ...child(4),
      done,
    ];
    const policyOf400 = { ...defaultPolicy, limits: { "run-cost": { stop: 400 } } };
    const agent = testAgent(scriptedModel(script), [look], { price, policy: policyOf400, subagents: true });
    run = agent.runtime.run(session, "Go.");
    expect(await run.result).toMatchObject({ reason: "answered", costNanoUsd: 300, costWithSubagentsNanoUsd: 800 });
    expect(agent.events.filter(({ type }) => type === "ChildComplete")).toMatchObject([{ reason: "answered" }]);
  });
});
