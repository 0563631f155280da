import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { noticedLoops } from "./noticed-loops.ts";

const midnight = Date.UTC(2026, 10, 11);
const minute = 60_000;

/** Events of a run, one minute after the other, that begin ten minutes before midnight. */
function eventsOf(bodies: readonly AgentEventBody[]): readonly AgentEvent[] {
  return bodies.map((body, index) => ({
    ...body,
    seq: index + 1,
    at: midnight - 10 * minute + index * minute,
    sessionId: "ses_1",
    runId: "run_1",
    severity: "debug",
  }));
}

const input = { command: "npm test" };
const turn = (index: number, model = "m"): readonly AgentEventBody[] => [
  { type: "CostEvent", model, costNanoUsd: 10 ** index, totalNanoUsd: 0 },
  { type: "ToolStart", callId: `c${index}`, tool: "bash", input },
  { type: "ToolEnd", callId: `c${index}`, tool: "bash", status: "error", content: "failed", ms: 1 },
];

function hint(evidence: readonly number[], id = "e1/hint"): AgentEventBody {
  const shared = {
    id,
    detector: "failing-call",
    level: "hint",
    effect: "tell",
    message: "Stop.",
    isApplied: true,
  } as const;
  return {
    type: "GuardianIntervention",
    intervention: { ...shared, call: 2, evidence, count: evidence.length, tool: "bash" },
  };
}

/** The totals that events have: the sum of the costs so far. */
function withTotals(bodies: readonly AgentEventBody[]): readonly AgentEventBody[] {
  let total = 0;
  return bodies.map((body) => {
    if (body.type !== "CostEvent") return body;
    total += body.costNanoUsd ?? 0;
    return { ...body, totalNanoUsd: total };
  });
}

const calls = ["c0", "c1", "c2", "c3"].map((id) => ({ id, tool: "bash", input }));

test("a loop costs what was spent after its first call, by day and model", () => {
  const bodies = withTotals([...turn(0), ...turn(1), ...turn(2, "other"), hint([0, 1, 2]), ...turn(3)]);
  const loops = noticedLoops("run_1", eventsOf(bodies), calls);
  expect(loops).toEqual([
    {
      runId: "run_1",
      seq: 10,
      at: midnight + 2 * minute,
      what: "npm test",
      isCommand: true,
      times: 4,
      nanoUsd: 1_110,
      isRecovered: false,
      hasEndedRun: false,
      parts: [
        { day: "2026-11-10", model: "m", nanoUsd: 10 },
        { day: "2026-11-10", model: "other", nanoUsd: 100 },
        { day: "2026-11-11", model: "m", nanoUsd: 1_000 },
      ],
    },
  ]);
});

test("two episodes at the same time are one loop, and an unknown price has no parts", () => {
  const bodies = withTotals([...turn(0), ...turn(1), ...turn(2), hint([0, 1, 2]), hint([0, 1, 2], "e2/hint")]);
  const loops = noticedLoops("run_1", eventsOf(bodies), calls);
  expect(loops.map(({ times, nanoUsd }) => [times, nanoUsd])).toEqual([[3, 110]]);
  expect(loops.flatMap(({ parts }) => parts).reduce((sum, { nanoUsd }) => sum + nanoUsd, 0)).toBe(110);
  const unpriced = bodies.map((body) =>
    body.type === "CostEvent" ? { ...body, costNanoUsd: null, totalNanoUsd: null } : body,
  );
  expect(noticedLoops("run_1", eventsOf(unpriced), calls)).toMatchObject([{ nanoUsd: undefined, parts: [] }]);
});
