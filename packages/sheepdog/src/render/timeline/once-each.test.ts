import type { Intervention } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import type { Item } from "./item.ts";
import { onceEach } from "./once-each.ts";

const block = (message: string, denies?: Intervention["denies"]): Item => ({
  type: "guardian",
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

test("a refusal is left to the refused call, once it was said that such calls are refused, and until that is over", () => {
  const isNew = onceEach();
  const refusal = block("Not run.", { callId: "c5" });
  expect([block("From now on it is refused."), refusal, refusal].map(isNew)).toEqual([true, false, false]);
  expect([{ type: "recovered", turn: 2, episode: "e" } as const, refusal].map(isNew)).toEqual([true, true]);
});
