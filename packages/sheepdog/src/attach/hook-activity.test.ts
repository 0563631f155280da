import type { SpoolLine } from "@sheepdog/integrations/hooks";
import { expect, test } from "vitest";
import { hookActivity } from "./hook-activity.ts";

function intervention(at: number, message: string, isApplied: boolean): SpoolLine {
  return { type: "intervention", at, intervention: { level: "hint", message, isApplied } } as SpoolLine;
}

test("the last message is one that was said, not a later one that only would have been", () => {
  const lines = [intervention(1, "said", true), intervention(2, "not said", false)];
  expect(hookActivity(lines)).toMatchObject({ lastMessage: "said", applied: { hint: 1 }, observed: { hint: 1 } });
});

test("if nothing was said, the last message is what would have been", () => {
  expect(hookActivity([intervention(1, "not said", false)]).lastMessage).toBe("not said");
});
