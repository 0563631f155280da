import { expect, test } from "vitest";
import type { Findings } from "../../contract/index.ts";
import { findingsSummary } from "./findings-summary.ts";

const findings = (totals: Partial<Findings["totals"]>): Findings => ({
  progress: { done: 412, total: 412 },
  places: [],
  sources: [
    { source: "Sheepdog", runs: 294 },
    { source: "Claude Code", runs: 118 },
  ],
  totals: {
    runs: 412,
    goodRuns: 375,
    calls: 21_044,
    stuckRuns: 37,
    stuckCalls: 900,
    costUsd: 614.2,
    stuckUsd: 143.6,
    unpricedRuns: 0,
    ...totals,
  },
  sweep: { by: "calls", current: 8, points: [], minRuns: 30, toml: null },
  goodRuns: [],
  detectors: [],
  stuck: [],
});

test("the summary tells what was looked at, and what being stuck cost", () => {
  expect(findingsSummary(findings({}), 30)).toBe(
    "412 runs from 30 days: 294 of Sheepdog, 118 of Claude Code. 37 of them got stuck; that cost $143.60 of $614.20.",
  );
});

test("without prices it tells calls", () => {
  expect(findingsSummary(findings({ costUsd: null, stuckUsd: null }), undefined)).toBe(
    "412 runs: 294 of Sheepdog, 118 of Claude Code. 37 of them got stuck; that took 900 of 21,044 calls.",
  );
});

test("runs without a price and runs that are all well are told", () => {
  expect(findingsSummary(findings({ stuckRuns: 0, unpricedRuns: 6 }), 90)).toBe(
    "412 runs from 90 days: 294 of Sheepdog, 118 of Claude Code. None of them got stuck. 6 runs without a known price.",
  );
  expect(findingsSummary(findings({ runs: 0 }), 30)).toBe("");
});

test("runs of one source are told in one breath", () => {
  const { sources, ...rest } = findings({ runs: 7, stuckRuns: 1 });
  expect(findingsSummary({ ...rest, sources: sources.slice(0, 1) }, 30)).toBe(
    "7 runs of Sheepdog from 30 days. 1 of them got stuck; that cost $143.60 of $614.20.",
  );
});
