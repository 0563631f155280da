import { failed, ok } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { presets } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import { calls, done, tool } from "./fault-fixture.ts";
import { type TestAgent, testAgent } from "./test-agent.ts";

/** The guardian's events on the event bus, by type, with their severities. */
const severities = ({ events }: TestAgent) =>
  Object.fromEntries(events.flatMap(({ type, severity }) => (type.startsWith("Guardian") ? [[type, severity]] : [])));

test("a hint about a loop is published as info, the loop as a warning", async () => {
  const make = tool("make", "unknown", async () => failed("Error: no rule to make target"));
  const model = scriptedModel([calls("make", {}), calls("make", {}), calls("make", {}), done]);
  const agent = testAgent(model, [make], { policy: presets.ryvos });
  expect((await agent.run()).reason).toBe("answered");
  expect(severities(agent)).toMatchObject({ GuardianHint: "info", GuardianDoomLoop: "warning" });
  expect(model.requests.at(-1)?.text).toContain("sheepdog-notice");
});

test("a call that takes long is published as a stall, a warning, and the model hears of it", async () => {
  const build = tool("build", "unknown", async () => {
    agent.clock.advance(180_000);
    return ok("built");
  });
  const model = scriptedModel([calls("build", {}), done]);
  const agent = testAgent(model, [build], { policy: presets.ryvos });
  expect((await agent.run()).reason).toBe("answered");
  expect(severities(agent)).toMatchObject({ GuardianStall: "warning" });
  expect(model.requests[1]?.text).toMatch(/build.{1,5} took 18\d seconds/);
});
