import type { Policy } from "@sheepdog/guardian";
import type { Config } from "../config/schema.ts";
import type { SweepBy } from "./sweep.ts";

/** The limit in force; null if there is none. */
export function currentLimit(by: SweepBy, policy: Policy, config: Config | undefined): number | null {
  switch (by) {
    case "calls": {
      if (policy.mode === "observe") return null;
      const halts = [policy.detectors["doom-loop"]?.halt, policy.detectors["failing-call"]?.halt];
      const set = halts.filter((halt) => halt !== undefined && halt > 0) as number[]; // the filter removes undefined
      return set.length === 0 ? null : Math.min(...set);
    }
    case "cost":
      return orNull((config?.budget.per_run_limit_cents ?? 0) / 100);
    case "turns":
      return orNull(config?.agent.max_turns ?? 0);
    default:
      return by satisfies never;
  }
}

/** 0 is no limit. */
function orNull(limit: number): number | null {
  return limit > 0 ? limit : null;
}

/**
 * TOML that sets a limit. The levels before the end of a run come one a turn, so their counts may be equal: with them
 * in the text, every number from 3 on is valid.
 */
export const limitToml: Readonly<Record<SweepBy, string>> = {
  calls: [
    "# A hint, a warning and a refusal come first, one each turn, so a run is ended at 6 equal calls at the earliest.",
    "# For more than 10, also raise failing-tool and no-progress, which end a run at 10 by default.",
    "[agent.guardian.detectors]",
    "doom-loop = { hint = 3, warn = 3, block = 3, halt = {limit} }",
    "failing-call = { hint = 3, warn = 3, block = 3, halt = {limit} }",
    "cycle = { hint = 3, warn = 3, block = 3, halt = {limit} }",
    "",
  ].join("\n"),
  cost: "[budget]\nper_run_limit_cents = {limit}\n",
  turns: "[agent]\nmax_turns = {limit}\n",
};

/** The lowest number of equal calls at which a run can be ended: a hint, a warning and a refusal come first. */
export const lowestCallLimit = 6;

/** The highest that this text alone sets: other detectors end a run at more equal calls. */
export const highestCallLimit = 10;
