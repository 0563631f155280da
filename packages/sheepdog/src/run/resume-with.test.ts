import type { Reason } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { resumeWith } from "./resume-with.ts";

const config = configSchema.parse({ agent: { max_turns: 10 }, budget: { per_run_limit_cents: 200, monthly_limit_cents: 1_000, per_run_limit_tokens: 5_000 } });
const command = (reason: Reason, more: { readonly model?: string; readonly cwd?: string } = {}) =>
  resumeWith({ sessionId: "ses_1", reason }, { config, isPriced: true, ...more });

test("the limit that ended a run is raised", () => {
  expect(command("run_budget")).toBe("sheepdog run --resume ses_1 --max-cost 4");
  expect(command("token_budget")).toBe("sheepdog run --resume ses_1 --max-run-tokens 10000");
  expect(command("max_turns")).toBe("sheepdog run --resume ses_1 --max-turns 20");
  expect(command("timeout")).toBe("sheepdog run --resume ses_1 --max-time 1200s");
  expect(command("month_budget")).toBe("sheepdog run --resume ses_1 --set budget.monthly_limit_cents=2000");
  expect(command("doom_loop")).toBe("sheepdog run --resume ses_1");
});

test("a model without a price needs no more money, but leave to be used without", () => {
  const unpriced = (reason: Reason) => resumeWith({ sessionId: "ses_1", reason }, { config, isPriced: false });
  expect(unpriced("run_budget")).toBe("sheepdog run --resume ses_1 --set budget.unpriced=count-tokens");
  expect(unpriced("max_turns")).toBe("sheepdog run --resume ses_1 --max-turns 20");
});

test("the model and the folder that were named are named again, safe to paste", () => {
  expect(command("cancelled", { model: "ollama:qwen3:8b", cwd: "/home/o'brien/my work" })).toBe(
    `sheepdog run --resume ses_1 --model ollama:qwen3:8b --cwd '/home/o'\\''brien/my work'`,
  );
});
