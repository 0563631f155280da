import { ok, type Run } from "@sheepdog/agent";
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
