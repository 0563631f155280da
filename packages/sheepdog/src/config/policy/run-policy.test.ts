import type { Policy } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import { configSchema } from "../schema.ts";
import { buildRunPolicy } from "./run-policy.ts";

function policy(config: unknown): Policy {
  const chosen = buildRunPolicy(configSchema.parse(config));
  if (!chosen.ok) throw new Error(chosen.problems.join("\n"));
  return chosen.policy;
}

const guarded = (guardian: object) => policy({ agent: { guardian } });

test("by default it is the default preset with limits of turns, time and context", () => {
  const { limits, ...rest } = policy({});
  expect(rest).toEqual({ ...presets.default, limits: undefined, ...rest });
  expect(rest.detectors).toEqual(presets.default.detectors);
  expect(limits).toEqual({
    context: { warn: 80, stop: 95 },
    turns: { stop: 25 },
    time: { stop: 600_000 },
    "run-tokens": {},
    "run-cost": {},
    "session-cost": {},
    "day-cost": {},
    "month-cost": {},
  });
});

test("cents become nano-dollars, and a run warns at its share", () => {
  const { limits } = policy({
    budget: {
      per_run_limit_cents: 50,
      per_run_limit_tokens: 1_000,
      monthly_limit_cents: 2_000,
      warning_threshold_cents: 1_500,
    },
  });
  expect(limits["run-cost"]).toEqual({ warn: 400_000_000, stop: 500_000_000 });
  expect(limits["run-tokens"]).toEqual({ warn: 800, stop: 1_000 });
  expect(limits["month-cost"]).toEqual({ warn: 15_000_000_000, stop: 20_000_000_000 });
  expect(policy({ budget: { per_run_limit_cents: 0.1, per_run_warning_percent: 0 } }).limits["run-cost"]).toEqual({
    stop: 1_000_000,
  });
});

test("a tiny amount does not become the 0 that means no limit", () => {
  const tiny = {
    monthly_limit_cents: 1e-9,
    per_day_limit_cents: 1e-300,
    per_session_limit_cents: 1e-9,
    per_run_limit_cents: 1e-9,
  };
  const { limits } = policy({
    budget: { ...tiny, warning_threshold_cents: 1e-10, per_run_limit_tokens: 100, per_run_warning_percent: 0.1 },
  });
  expect([
    limits["month-cost"],
    limits["day-cost"],
    limits["session-cost"],
    limits["run-cost"],
    limits["run-tokens"],
  ]).toEqual([{ warn: 1, stop: 1 }, { stop: 1 }, { stop: 1 }, { warn: 1, stop: 1 }, { warn: 1, stop: 100 }]);
});

test("a threshold moves the hint, and the higher levels by the same distance", () => {
  const { detectors } = guarded({ doom_loop_threshold: 5 });
  expect(detectors["doom-loop"]).toEqual({ suspect: 4, hint: 5, warn: 6, block: 7, halt: 10 });
  expect(detectors["failing-call"]).toEqual({ suspect: 4, hint: 5, warn: 6, block: 7, halt: 10 });
  expect(guarded({ doom_loop_threshold: 2 }).detectors["doom-loop"]?.suspect).toBe(2);
  expect(detectors.cycle).toEqual(presets.default.detectors.cycle);
  expect(guarded({ preset: "strict" }).detectors).toEqual(presets.strict.detectors);
});

test("switched off, there are no detectors, and limits still apply", () => {
  const { detectors, limits } = guarded({ enabled: false, detectors: { cycle: { hint: 2 } } });
  expect(detectors).toEqual({});
  expect(limits.turns).toEqual({ stop: 25 });
});

test("detectors and tools override the preset", () => {
  const { detectors, tools } = guarded({
    detectors: { "doom-loop": { hint: 2 }, chant: "off" },
    tools: { "poll_*": { kind: "poll", scale: 3 } },
  });
  expect(detectors["doom-loop"]).toEqual({ ...presets.default.detectors["doom-loop"], hint: 2 });
  expect(detectors).not.toHaveProperty("chant");
  expect(tools).toEqual([{ match: "poll_*", kind: "poll", scale: 3 }]);
});

test("a preset that never refuses keeps that, unless a weaker mode is configured", () => {
  expect([
    guarded({ preset: "ryvos" }).mode,
    guarded({ preset: "ryvos", mode: "observe" }).mode,
    guarded({ mode: "advise" }).mode,
  ]).toEqual(["advise", "observe", "advise"]);
});

test("rungs out of order are reported with their key", () => {
  const chosen = buildRunPolicy(
    configSchema.parse({ agent: { guardian: { detectors: { "doom-loop": { hint: 9 } } } } }),
  );
  expect(chosen).toEqual({
    ok: false,
    problems: [expect.stringMatching(/^agent\.guardian\.detectors\.doom-loop: hint is 9 and warn is 4/)],
  });
});

test("a second opinion is wanted before force, or as configured; the presets of other systems never ask", () => {
  expect(policy({}).secondOpinion).toBe("before-force");
  expect(guarded({ preset: "strict", second_opinion: "always" }).secondOpinion).toBe("always");
  expect(guarded({ second_opinion: "off" }).secondOpinion).toBe("off");
  for (const preset of ["off", "ryvos", "aar", "llm-rb", "tool-guardrails"])
    expect(guarded({ preset, second_opinion: "always" }).secondOpinion).toBe("off");
});
