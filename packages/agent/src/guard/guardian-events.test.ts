import { createGuardian, type Policy } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import type { AgentEventBody } from "../protocol/events.ts";
import { createGuardianEvents } from "./guardian-events.ts";

/** The events of a run that makes the same failing call thirty times. */
function eventsOfLoop(policy: Policy): readonly AgentEventBody[] {
  const events: AgentEventBody[] = [];
  const eventsOf = createGuardianEvents();
  const guardian = createGuardian({ policy, now: () => 1, emit: (event) => events.push(...eventsOf(event)) });
  for (let i = 0; i < 30; i++) {
    const { allow } = guardian.beforeCall({ id: `c${i}`, tool: "bash", args: { command: "make" } });
    if (allow) guardian.afterCall(`c${i}`, { status: "error", content: "make: *** No rule to make target" });
    guardian.endTurn();
  }
  return events;
}

const { off: _, ...watchful } = presets;

test.each(Object.entries(watchful))("a loop is announced once with the preset %s", (_name, policy) => {
  const types = eventsOfLoop(policy).map(({ type }) => type);
  expect(types.filter((type) => type === "GuardianDoomLoop")).toHaveLength(1);
});

test("an announcement follows the first intervention about the loop", () => {
  expect(
    eventsOfLoop(presets.ryvos)
      .map(({ type }) => type)
      .slice(0, 3),
  ).toEqual(["GuardianIntervention", "GuardianHint", "GuardianDoomLoop"]);
  expect(eventsOfLoop(presets["llm-rb"]).map(({ type }) => type)).toContain("GuardianDoomLoop");
});

test("nothing is announced in observe mode", () => {
  const types = eventsOfLoop({ ...presets.default, mode: "observe" }).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(["GuardianIntervention"]));
});
