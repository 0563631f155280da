import { type Gate, ok, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, test } from "vitest";
import { done, tool } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";

/** A tool with a sandbox that records which of its calls left it. */
function sandboxedTool(): { readonly tool: Tool; readonly left: boolean[] } {
  const left: boolean[] = [];
  const run: Tool["run"] = async (_, { leavesSandbox = false }) => {
    left.push(leavesSandbox);
    return ok("done");
  };
  return { tool: { ...tool("bash", "unknown", run), isSandboxed: true }, left };
}

const decides = (decision: "allow" | "ask", leavesSandbox?: true): Gate => ({
  decide: async () => ({
    tier: 3,
    decision,
    reason: "Because.",
    ...(leavesSandbox === undefined ? {} : { leavesSandbox }),
  }),
});

test.each([
  ["allow", undefined],
  ["ask", undefined], // for example what is not understood
  ["allow", true], // for example by a rule of the user
  ["ask", true],
] as const)(
  "a call that the gate would %s leaves the sandbox only if the gate says so: %s",
  async (decision, leaves) => {
    const { tool: bash, left } = sandboxedTool();
    const model = scriptedModel([{ calls: [{ tool: "bash", input: {} }] }, done]);
    const { run, events } = testAgent(model, [bash], {
      gate: decides(decision, leaves),
      attended: true,
      approve: async () => ({ isAllowed: true }),
    });
    await run();
    expect(left).toEqual([leaves === true]);
    const questions = events.flatMap((event) => (event.type === "ApprovalRequested" ? [event.reason] : []));
    const question = leaves ? "Because. It runs outside the sandbox." : "Because.";
    expect(questions).toEqual(decision === "ask" ? [question] : []);
  },
);

test.each([
  [0, true],
  [1, true],
  [2, undefined],
  [4, undefined],
] as const)("a call of tier %i is told that it runs no code: %s", async (tier, expected) => {
  const told: (boolean | undefined)[] = [];
  const bash = tool("bash", "unknown", async (_, { runsNoCode }) => {
    told.push(runsNoCode);
    return ok("done");
  });
  const gate: Gate = { decide: async () => ({ tier, decision: "allow", reason: "Because." }) };
  const model = scriptedModel([{ calls: [{ tool: "bash", input: {} }] }, done]);
  await testAgent(model, [bash], { gate }).run();
  expect(told).toEqual([expected]);
});
