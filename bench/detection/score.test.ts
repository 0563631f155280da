import { expect, test } from "vitest";
import type { Label } from "./labels.ts";
import type { Action, Reaction } from "./reaction.ts";
import { gradeOf, type Judged, score } from "./score.ts";

const clean: Label = { verdict: "clean", note: "" };
const stuck: Label = { verdict: "stuck", onset: 4, until: 9, kind: "repeat", note: "" };

test("a first reaction is right from the onset until one call past the end", () => {
  const gradeAt = (call: number) => gradeOf(judged(stuck, hint(call)));
  expect([3, 4, 10, 11].map(gradeAt)).toEqual(["early", "right", "right", "late"]);
  expect(gradeOf(judged(stuck))).toBe("missed");
  expect(gradeOf(judged(clean))).toBe("quiet");
  expect(gradeOf(judged(clean, hint(0)))).toBe("false-alarm");
});

test("precision counts alarms that are not late, recall counts stuck runs", () => {
  const { precision, recall, f1, falseAlarms, early } = score([
    judged(stuck, hint(5)),
    judged(stuck, hint(2)),
    judged(stuck, hint(20)),
    judged(stuck),
    judged(clean, hint(1)),
    judged(clean),
  ]);
  expect({ precision, recall, f1, falseAlarms, early }).toEqual({
    precision: 1 / 3,
    recall: 1 / 4,
    f1: 2 / 7,
    falseAlarms: 1,
    early: 1,
  });
});

test("a run is caught by a later reaction even if the first one was false", () => {
  const { recall, caught } = score([judged(stuck, hint(1), hint(5)), judged(stuck, hint(1), hint(12))]);
  expect({ recall, caught }).toEqual({ recall: 0, caught: 0.5 });
});

test("force is a block or a stop in a clean run, or before the onset of a stuck one", () => {
  const { hintsOnClean, forceOnClean, forceBeforeOnset } = score([
    judged(clean, hint(1)),
    judged(clean, hint(1), { call: 2, action: "block" }),
    judged(clean),
    judged(clean),
    judged(stuck, hint(1), { call: 5, action: "stop" }),
    judged(stuck, hint(1), { call: 3, action: "stop" }),
  ]);
  expect({ hintsOnClean, forceOnClean, forceBeforeOnset }).toEqual({
    hintsOnClean: 0.5,
    forceOnClean: 0.25,
    forceBeforeOnset: 0.5,
  });
});

test("the margin moves every onset by one call, so a reaction at the onset becomes false", () => {
  const { f1, marginF1 } = score([judged(stuck, hint(4)), judged(stuck, hint(5))]);
  expect({ f1, marginF1 }).toEqual({ f1: 1, marginF1: 0.5 });
});

test("waste avoided is the share of wasted calls after right first reactions, latency their median delay", () => {
  const { wasteAvoided, latency } = score([judged(stuck, hint(6)), judged(stuck, hint(10)), judged(stuck, hint(3))]);
  expect({ wasteAvoided, latency }).toEqual({ wasteAvoided: 3 / 18, latency: 4 });
});

test("a share of no runs is null", () => {
  const { precision, recall, caught, hintsOnClean, latency } = score([]);
  expect([precision, recall, caught, hintsOnClean, latency]).toEqual([null, null, null, null, null]);
});

function judged(label: Label, ...reactions: readonly Reaction[]): Judged {
  return { label, reactions };
}

function hint(call: number): { readonly call: number; readonly action: Action } {
  return { call, action: "hint" };
}
