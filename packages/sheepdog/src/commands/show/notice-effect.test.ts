import type { Intervention } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { type CountedCall, heedOf } from "./notice-effect.ts";

const call = (id: string, path: string): CountedCall => ({ id, tool: "read", input: { path } });
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
const heed = (own: readonly CountedCall[], ...later: readonly Intervention[]) =>
  heedOf(refusal, { calls: own, interventions: [refusal, ...later], recovered }).heeded;

test("a call that the guardian takes for one more of the same is not heeding it", () => {
  const nearly: Intervention = { ...refusal, id: "doom-loop-1/block-2", call: 2, denies: { callId: "c3" } };
  const { denies: _, ...told } = refusal;
  expect(heed(calls)).toBe(true);
  expect(heed(calls, nearly)).toBe(false);
  expect(heed(calls, { ...told, id: "doom-loop-1/halt", level: "halt", evidence: [0, 1, 3] })).toBe(false);
  expect(heed(calls, { ...nearly, id: "cycle-2/block" })).toBe(true);
  expect(heed([...calls.slice(0, 3), call("c3", "a")])).toBe(false);
  expect(heed(calls.slice(0, 3))).toBe(null);
});
