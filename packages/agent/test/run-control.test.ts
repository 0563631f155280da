import { ok, type Run, type RunControl } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { done, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

/** A tool that says something new each time, and something to a run when it is called for the nth time. */
function saying(nth: number, act: () => void) {
  let called = 0;
  return tool("look", "read", async () => {
    called += 1;
    if (called === nth) act();
    return ok(`page ${called} has ${called * 37} lines`);
  });
}

const looks = (n: number) => Array.from({ length: n }, (_, page) => ({ calls: [{ tool: "look", input: { page } }] }));
const price = () => 100;
const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 300 } } };

describe("what a person says to the guardian while a run goes on", () => {
  test("a limit that is raised holds from then on, and is told", async () => {
    let run: Run | undefined;
    const raise: RunControl = { type: "limit", limit: "run-cost", stop: 500 };
    const heard: (boolean | undefined)[] = [];
    const agent = testAgent(scriptedModel(looks(20)), [saying(2, () => heard.push(run?.control(raise)))], {
      price,
      policy,
    });
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "run_budget", costNanoUsd: 500 });
    expect(heard).toEqual([true]);
    expect(agent.events.filter(({ type }) => type === "LimitChanged")).toMatchObject([
      { limit: "run-cost", stop: 500 },
    ]);
  });

  test("one that is lowered ends the run", async () => {
    let run: Run | undefined;
    const agent = testAgent(
      scriptedModel(looks(20)),
      [saying(1, () => run?.control({ type: "limit", limit: "turns", stop: 2 }))],
      { price },
    );
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "max_turns", turns: 2 });
  });

  test("what is said before there is a guardian is heard by it", async () => {
    const agent = testAgent(scriptedModel(looks(20)), [saying(0, () => {})], { price, policy });
    const run = agent.runtime.run(session, "Go.");
    expect(run.control({ type: "limit", limit: "run-cost", stop: 500 })).toBe(true);
    expect(await agent.check(run)).toMatchObject({ reason: "run_budget", costNanoUsd: 500 });
  });

  test("a detector that is muted says nothing, and that it was muted is told", async () => {
    const same = { calls: [{ tool: "same", input: {} }] };
    const script = [...Array.from({ length: 12 }, () => same), done];
    const equal = tool("same", "read", async () => ok("nothing new"));
    expect(await testAgent(scriptedModel(script), [equal]).run()).toMatchObject({ reason: "doom_loop" });
    const agent = testAgent(scriptedModel(script), [equal]);
    const run = agent.runtime.run(session, "Go.");
    run.control({ type: "mute", tool: "same" });
    expect(await agent.check(run)).toMatchObject({ reason: "answered", interventions: [] });
    expect(agent.events.filter(({ type }) => type === "GuardianMuted")).toMatchObject([{ tool: "same" }]);
  });

  test("a run that is over hears nothing", async () => {
    const agent = testAgent(scriptedModel([done]));
    const run = agent.runtime.run(session, "Go.");
    await agent.check(run);
    expect(run.control({ type: "limit", limit: "turns", stop: 1 })).toBe(false);
    expect(agent.count("LimitChanged")).toBe(0);
  });

  test("one that is being ended hears nothing either: it will not go on", async () => {
    let run: Run | undefined;
    const heard: (boolean | undefined)[] = [];
    const act = () => {
      run?.cancel();
      heard.push(run?.control({ type: "limit", limit: "turns", stop: 50 }));
    };
    const agent = testAgent(scriptedModel(looks(20)), [saying(1, act)]);
    run = agent.runtime.run(session, "Go.");
    expect(await agent.check(run)).toMatchObject({ reason: "cancelled" });
    expect([heard, agent.count("LimitChanged")]).toEqual([[false], 0]);
  });

  test("the limits that hold are told, from before the run has begun on", async () => {
    let run: Run | undefined;
    const told: unknown[] = [];
    const tell = () => told.push(run?.limits()["run-cost"]?.stop, run?.limits().turns?.stop);
    const agent = testAgent(scriptedModel([...looks(2), done]), [saying(2, tell)], {
      price,
      policy,
      settings: { maxTurns: 7 },
    });
    run = agent.runtime.run(session, "Go.");
    tell();
    run.control({ type: "limit", limit: "run-cost", stop: 500 });
    tell();
    await agent.check(run);
    expect(told).toEqual([300, 7, 500, 7, 500, 7]);
  });

  test.each([
    ["before it started one", 1],
    ["while one works", 2],
  ])("a limit that is raised for a run %s holds for its subagents", async (_, nth) => {
    let run: Run | undefined;
    const look = saying(nth, () => run?.control({ type: "limit", limit: "run-cost", stop: 900 }));
    const child = (calls: number) => [...looks(calls), { text: "Four sheep." }];
    const script = [
      ...looks(1),
      { calls: [{ tool: "spawn", input: { task: "Count the sheep." } }] },
      ...child(4),
      done,
    ];
    const tight = { ...defaultPolicy, limits: { "run-cost": { stop: 400 } } };
    const agent = testAgent(scriptedModel(script), [look], { price, policy: tight, subagents: true });
    run = agent.runtime.run(session, "Go.");
    expect(await run.result).toMatchObject({ reason: "answered", costNanoUsd: 300, costWithSubagentsNanoUsd: 800 });
    expect(agent.events.filter(({ type }) => type === "ChildComplete")).toMatchObject([{ reason: "answered" }]);
  });
});
