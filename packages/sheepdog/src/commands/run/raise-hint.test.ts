import type { AgentEvent } from "@sheepdog/agent";
import type { Intervention, LimitName } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { intervention } from "../chat/state/testing.ts";
import { raiseHint } from "./raise-hint.ts";

function warning(detector: LimitName, more: Partial<Intervention> = {}): AgentEvent {
  const about = intervention({ detector, level: "warn", ...more });
  return {
    type: "BudgetWarning",
    intervention: about,
    seq: 1,
    at: 1,
    sessionId: "s",
    runId: "run_1",
    severity: "warning",
  };
}

test("a warning about money names the command that doubles the limit of the running run", () => {
  const limits = { "run-cost": { stop: 500_000_000 }, "month-cost": { stop: 20_000_000_000 }, turns: { stop: 25 } };
  const hint = "To raise it while the run continues: sheepdog budget raise run_1";
  expect(raiseHint(warning("run-cost"), limits)).toBe(`${hint} 1`);
  expect(raiseHint(warning("month-cost"), limits)).toBe(`${hint} month 40`);
  expect(raiseHint(warning("turns"), limits)).toBeUndefined();
  expect(raiseHint(warning("day-cost"), limits)).toBeUndefined();
  expect(raiseHint(warning("run-cost", { isForUser: true }), limits)).toBeUndefined(); // the price is unknown
});
