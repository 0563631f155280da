import type { Intervention } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { type NumberedCall, noticeEffect } from "./notice-effect.ts";

const call = (id: string, path: string): NumberedCall => ({ id, tool: "read", input: { path } });
const refusal: Intervention = {
  id: "doom-loop-1/block",
  detector: "doom-loop",
  level: "block",
  effect: "deny",
  call: 1,
  evidence: [0, 1],
  count: 3,
  message: "Refused.",
  isApplied: true,
  denies: { callId: "c2" },
};
const calls = [call("c0", "a"), call("c1", "a"), call("c2", "a"), call("c3", "./a"), call("c4", "b")];
const recovered = new Set<string>();
const isFollowed = (own: readonly NumberedCall[], ...later: readonly Intervention[]) =>
  noticeEffect(refusal, { calls: own, interventions: [refusal, ...later], recovered }).followed;

test("an intervention is not followed if the guardian counts the next call as another repetition", () => {
  const nearly: Intervention = { ...refusal, id: "doom-loop-1/block-2", call: 2, denies: { callId: "c3" } };
  const { denies: _, ...notice } = refusal;
  expect(isFollowed(calls)).toBe(true);
  expect(isFollowed(calls, nearly)).toBe(false);
  expect(isFollowed(calls, { ...notice, id: "doom-loop-1/halt", level: "halt", evidence: [0, 1, 3] })).toBe(false);
  expect(isFollowed(calls, { ...nearly, id: "cycle-2/block" })).toBe(true);
  expect(isFollowed([...calls.slice(0, 3), call("c3", "a")])).toBe(false);
  expect(isFollowed(calls.slice(0, 3))).toBe(null);
});
