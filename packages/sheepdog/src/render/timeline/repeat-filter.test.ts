import type { Item } from "@sheepdog/agent/timeline";
import type { Intervention } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { createRepeatFilter } from "./repeat-filter.ts";

/** A block of calls; with `denies`, the refusal of one call. */
const block = (message: string, denies?: Intervention["denies"]): Item => ({
  type: "guardian",
  seq: 1,
  at: 1,
  turn: 1,
  intervention: {
    id: "doom-loop-1/block",
    detector: "doom-loop",
    level: "block",
    effect: denies === undefined ? "tell" : "deny",
    call: 4,
    evidence: [],
    count: 5,
    message,
    isApplied: true,
    ...(denies === undefined ? {} : { denies }),
  },
});

test("after the first block, refusals are hidden until the run has recovered", () => {
  const isNew = createRepeatFilter();
  const refusal = block("Not run.", { callId: "c5" });
  expect([block("Sheepdog refuses this call now."), refusal, refusal].map(isNew)).toEqual([true, false, false]);
  expect([{ type: "recovered", seq: 1, at: 1, turn: 2, episode: "e" } as const, refusal].map(isNew)).toEqual([
    true,
    true,
  ]);
});
