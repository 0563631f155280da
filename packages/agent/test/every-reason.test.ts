import { outcomes } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { runsByReason } from "./runs-by-reason.ts";

test.each(Object.keys(runsByReason) as (keyof typeof runsByReason)[])(
  "a run ends as %s with its state and exit code",
  async (reason) => {
    expect(await runsByReason[reason]()).toMatchObject({ reason, ...outcomes[reason] });
  },
);

test("the ways in which a run of AAR ends have the states of AAR", () => {
  const stateOf = Object.fromEntries(Object.entries(outcomes).map(([reason, { state }]) => [reason, state]));
  expect(stateOf).toMatchObject({
    answered: "completed",
    cancelled: "cancelled",
    timeout: "timed_out",
    max_turns: "max_steps",
    token_budget: "budget_exceeded",
    run_budget: "budget_exceeded",
    doom_loop: "error",
    provider_error: "error",
  });
});
