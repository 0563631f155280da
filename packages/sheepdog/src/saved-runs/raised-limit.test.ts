import type { Reason } from "@sheepdog/agent";
import type { Intervention, LimitName } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { cannotContinue, type EndedUnder, raiseLimit } from "./raised-limit.ts";

const config = configSchema.parse({
  agent: { max_turns: 10 },
  budget: { per_run_limit_cents: 200, monthly_limit_cents: 1_000, per_run_limit_tokens: 5_000 },
});

const flag = (reason: Reason, more: Partial<EndedUnder> = {}, interventions: readonly Intervention[] = []) =>
  raiseLimit({ sessionId: "ses_1", reason, interventions }, { config, isPriced: true, ...more })?.flag;

/** The intervention of a limit that ended a run at a used amount. */
const halt = (detector: LimitName, count: number): Intervention => ({
  id: "e1/halt",
  detector,
  level: "halt",
  effect: "stop",
  call: -1,
  evidence: [],
  count,
  message: "",
  isApplied: true,
});

test("the limit that ended a run is raised", () => {
  expect(flag("run_budget")).toBe("--max-cost 4");
  expect(flag("token_budget")).toBe("--max-run-tokens 10000");
  expect(flag("max_turns")).toBe("--max-turns 20");
  expect(flag("timeout")).toBe("--max-time 1200s");
  expect(flag("month_budget")).toBe("--set budget.monthly_limit_cents=2000");
  expect(flag("doom_loop")).toBeUndefined();
});

const ended = (reason: Reason, neededContextTokens?: number) => ({
  sessionId: "ses_1",
  reason,
  ...(neededContextTokens === undefined ? {} : { neededContextTokens }),
});

test("a run whose context was too small gets the context that it needs", () => {
  for (const reason of ["context_budget", "prompt_too_long"] as const)
    expect(raiseLimit(ended(reason, 90_000), { config, isPriced: true })?.flag).toBe(
      "--set agent.max_context_tokens=90000",
    );
});

test("if the model can read no more, a prompt that is too long cannot continue: it would end the run again", () => {
  expect(
    ["prompt_too_long" as const, "context_budget" as const].map((reason) => cannotContinue(ended(reason))),
  ).toEqual([true, false]);
  expect(cannotContinue(ended("prompt_too_long", 90_000))).toBe(false);
});

test("the raised limit is above the used amount, even if another process changed the limit", () => {
  const unlimited = configSchema.parse({});
  expect(flag("token_budget", {}, [halt("run-tokens", 90_000)])).toBe("--max-run-tokens 180000");
  expect(flag("month_budget", {}, [halt("month-cost", 50_001_000_000)])).toBe("--set budget.monthly_limit_cents=10001");
  expect(flag("run_budget", { config: unlimited }, [halt("run-cost", 1_500_000_000)])).toBe("--max-cost 3");
  expect(flag("timeout", {}, [halt("time", 700_100)])).toBe("--max-time 1401s");
});

test("amounts of any size can be parsed again", () => {
  const small = configSchema.parse({ budget: { per_run_limit_cents: 0.00001 } });
  expect(flag("run_budget", { config: small })).toBe("--max-cost 0.0000002");
  const large = configSchema.parse({ agent: { max_turns: Number.MAX_SAFE_INTEGER, max_duration_secs: 2_000_000 } });
  expect(flag("max_turns", { config: large })).toBe(`--max-turns ${Number.MAX_SAFE_INTEGER}`);
  expect(flag("timeout", { config: large })).toBe("--max-time 2147483s");
});

test("for a model without a price, the command allows counting tokens instead of raising the cost limit", () => {
  expect(flag("run_budget", { isPriced: false })).toBe("--set budget.unpriced=count-tokens");
  expect(flag("max_turns", { isPriced: false })).toBe("--max-turns 20");
});
