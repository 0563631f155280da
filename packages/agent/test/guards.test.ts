import { type GuardContext, ok, type RunGuard } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { createLoopGuard } from "@sheepdog/guardian/seeds";
import { expect, test } from "vitest";
import { calls, done, reader, tool } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";

test("the warning of a guard is the result of every pending call, and none is executed", async () => {
  const { tool: read, paths } = reader();
  const seen: GuardContext[] = [];
  const guard: RunGuard = {
    call(context) {
      seen.push(context);
      return seen.length === 1 ? "Not now: the meadow is closed." : undefined;
    },
  };
  const model = scriptedModel([calls("read", { path: "a" }, { path: "b" }), calls("read", { path: "c" }), done]);
  const agent = testAgent(model, [read], { guards: [guard] });
  expect((await agent.run()).reason).toBe("answered");
  expect(paths).toEqual(["c"]);
  expect((await agent.results()).map(({ status, content }) => [status, content])).toEqual([
    ["denied", "Not now: the meadow is closed."],
    ["denied", "Not now: the meadow is closed."],
    ["ok", "the text of c"],
  ]);
  const blocked = agent.events.flatMap((event) => (event.type === "ToolBlocked" ? [event.by] : []));
  expect(blocked).toEqual(["guard", "guard"]);
  expect(seen[0]).toMatchObject({ sessionId: "ses_1", calls: [{ tool: "read" }, { tool: "read" }] });
  expect(seen[0]?.messages.at(-1)).toMatchObject({
    role: "assistant",
    toolCalls: [
      { name: "read", arguments: { path: "a" } },
      { name: "read", arguments: { path: "b" } },
    ],
  });
});

test("a guard that throws is reported once and ignored", async () => {
  let asked = 0;
  const broken: RunGuard = {
    call() {
      asked += 1;
      throw new Error("the guard is asleep");
    },
  };
  const { tool: read, paths } = reader();
  const model = scriptedModel([calls("read", { path: "a" }), calls("read", { path: "b" }), done]);
  const agent = testAgent(model, [read], { guards: [broken] });
  expect((await agent.run()).reason).toBe("answered");
  expect([asked, paths]).toEqual([1, ["a", "b"]]);
  const failures = agent.events.flatMap((event) => (event.type === "GuardFailed" ? [event.problem] : []));
  expect(failures).toEqual(["A guard failed and is not asked again in this run: the guard is asleep"]);
});

test("a guard cannot change the run", async () => {
  const { tool: read, paths } = reader();
  const meddling: RunGuard = {
    call({ messages, calls: pending }) {
      for (const { input } of pending) Object.assign(input as object, { path: "changed" }); // an object, see below
      for (const message of messages) Object.assign(message, { text: "changed", parts: [] });
      return undefined;
    },
  };
  const model = scriptedModel([calls("read", { path: "a" }), done]);
  const agent = testAgent(model, [read], { guards: [meddling] });
  await agent.run("Look at the sheep.");
  expect(paths).toEqual(["a"]);
  expect(model.requests[1]?.text).toContain("Look at the sheep.");
});

test("no guard can blind the next one, and what a guard says is shortened", async () => {
  const seen: unknown[] = [];
  const { tool: read } = reader();
  const blinding: RunGuard = {
    call({ calls: pending }) {
      (pending as unknown[]).length = 0; // a program without types
      return undefined;
    },
  };
  const loud: RunGuard = {
    call({ calls: pending }) {
      seen.push(pending.length);
      return "no ".repeat(1_000_000);
    },
  };
  const agent = testAgent(scriptedModel([calls("read", { path: "a" }), done]), [read], { guards: [blinding, loud] });
  expect((await agent.run()).reason).toBe("answered");
  expect(seen).toEqual([1]);
  expect((await agent.results())[0]?.content.length).toBeLessThan(5_000);
});

test("a guard whose error has no readable message is reported and not asked again", async () => {
  const hostile: RunGuard = {
    call() {
      throw Object.defineProperty(new Error("x"), "message", {
        get() {
          throw new Error("hidden");
        },
      });
    },
  };
  const { tool: read } = reader();
  const agent = testAgent(scriptedModel([calls("read", { path: "a" }), done]), [read], { guards: [hostile] });
  expect((await agent.run()).reason).toBe("answered");
  expect(agent.count("GuardFailed")).toBe(1);
});

test("the loop guard of llm.rb works as it is", async () => {
  const model = scriptedModel([], { afterLast: ({ index }) => (index < 3 ? calls("look", { at: "hill" }) : done) });
  const look = tool("look", "read", async () => ok("nothing"));
  const agent = testAgent(model, [look], { guards: [createLoopGuard({ threshold: 3 })] });
  expect((await agent.run()).reason).toBe("answered");
  expect((await agent.results()).map(({ status }) => status)).toEqual(["ok", "ok", "denied"]);
});

test("a guard without a function is refused with a sentence", () => {
  const guards = [{}] as unknown as RunGuard[]; // untrue on purpose
  expect(() => testAgent(scriptedModel([done]), [], { guards })).toThrow(/^Expected each guard to have a function/);
});
