import type { Reason } from "@sheepdog/agent";
import type { Intervention, LimitName } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { configSchema } from "../../config/schema.ts";
import { type ResumeCommandOptions, resumeCommandLine } from "./resume-command-line.ts";

const config = configSchema.parse({
  agent: { max_turns: 10 },
  budget: { per_run_limit_cents: 200, monthly_limit_cents: 1_000, per_run_limit_tokens: 5_000 },
});

const command = (
  reason: Reason,
  more: Partial<ResumeCommandOptions> = {},
  interventions: readonly Intervention[] = [],
) => resumeCommandLine({ sessionId: "ses_1", reason, interventions }, { config, isPriced: true, options: {}, ...more });

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
  expect(command("run_budget")).toBe("sheepdog run --resume ses_1 --max-cost 4");
  expect(command("token_budget")).toBe("sheepdog run --resume ses_1 --max-run-tokens 10000");
  expect(command("max_turns")).toBe("sheepdog run --resume ses_1 --max-turns 20");
  expect(command("timeout")).toBe("sheepdog run --resume ses_1 --max-time 1200s");
  expect(command("month_budget")).toBe("sheepdog run --resume ses_1 --set budget.monthly_limit_cents=2000");
  expect(command("doom_loop")).toBe("sheepdog run --resume ses_1");
});

test("a limit that the user changed during the run is the one in force", () => {
  const options = { maxCost: "0.5", maxTurns: "9" };
  const changed = (changedLimits: ResumeCommandOptions["changedLimits"] & object) =>
    command("cancelled", { options, changedLimits });
  expect(changed({ "run-cost": 1_500_000_000, time: 90_000 })).toBe(
    "sheepdog run --resume ses_1 --max-turns 9 --max-time 90s --max-cost 1.5",
  );
  expect(changed({ "run-cost": 0, turns: 50 })).toBe("sheepdog run --resume ses_1 --max-turns 50");
});

const withContext = (reason: Reason, neededContextTokens?: number) =>
  resumeCommandLine(
    { sessionId: "ses_1", reason, ...(neededContextTokens === undefined ? {} : { neededContextTokens }) },
    { config, isPriced: true, options: { set: ["agent.max_context_tokens=8000"] } },
  );

test("a run whose context was too small gets the context that it needs", () => {
  for (const reason of ["context_budget", "prompt_too_long"] as const)
    expect(withContext(reason, 90_000)).toBe("sheepdog run --resume ses_1 --set agent.max_context_tokens=90000");
});

test("if the model can read no more, a prompt that is too long gets no command: it would end the run again", () => {
  expect(withContext("prompt_too_long")).toBeUndefined();
  expect(withContext("context_budget")).toBe("sheepdog run --resume ses_1 --set agent.max_context_tokens=8000");
});

test("the raised limit is above the used amount, even if another process changed the limit", () => {
  const unlimited = configSchema.parse({});
  expect(command("token_budget", {}, [halt("run-tokens", 90_000)])).toBe(
    "sheepdog run --resume ses_1 --max-run-tokens 180000",
  );
  expect(command("month_budget", {}, [halt("month-cost", 50_001_000_000)])).toBe(
    "sheepdog run --resume ses_1 --set budget.monthly_limit_cents=10001",
  );
  expect(command("run_budget", { config: unlimited }, [halt("run-cost", 1_500_000_000)])).toBe(
    "sheepdog run --resume ses_1 --max-cost 3",
  );
  expect(command("timeout", {}, [halt("time", 700_100)])).toBe("sheepdog run --resume ses_1 --max-time 1401s");
});

test("amounts of any size can be parsed again", () => {
  const small = configSchema.parse({ budget: { per_run_limit_cents: 0.00001 } });
  expect(command("run_budget", { config: small })).toBe("sheepdog run --resume ses_1 --max-cost 0.0000002");
  const large = configSchema.parse({ agent: { max_turns: Number.MAX_SAFE_INTEGER, max_duration_secs: 2_000_000 } });
  expect(command("max_turns", { config: large })).toBe(
    `sheepdog run --resume ses_1 --max-turns ${Number.MAX_SAFE_INTEGER}`,
  );
  expect(command("timeout", { config: large })).toBe("sheepdog run --resume ses_1 --max-time 2147483s");
});

test("for a model without a price, the command allows counting tokens instead of raising the cost limit", () => {
  expect(command("run_budget", { isPriced: false })).toBe(
    "sheepdog run --resume ses_1 --set budget.unpriced=count-tokens",
  );
  expect(command("max_turns", { isPriced: false })).toBe("sheepdog run --resume ses_1 --max-turns 20");
});

test("the other flags of the command line are repeated, so a run keeps its other limits", () => {
  const options = {
    maxTurns: "10",
    maxCost: "$2",
    mode: "advise",
    set: ["agent.min_tail=4", "agent.max_turns=3", "model.base_url=https://u:hunter2secret@host/"],
    unattended: true,
    json: true,
    quiet: true,
  } as const;
  expect(command("max_turns", { options })).toBe(
    "sheepdog run --resume ses_1 --max-turns 20 --max-cost '$2' --mode advise --set agent.min_tail=4 --unattended",
  );
});

test("the model and the folder are repeated, quoted for a shell", () => {
  expect(command("cancelled", { options: { model: "ollama:qwen3:8b" }, cwd: "/home/o'brien/my work" })).toBe(
    `sheepdog run --resume ses_1 --model ollama:qwen3:8b --cwd '/home/o'\\''brien/my work'`,
  );
});
