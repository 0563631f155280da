import { defaultPolicy } from "@sheepdog/guardian";
import type { RunPrices } from "@sheepdog/records";
import { describe, expect, test } from "vitest";
import { createGuard } from "../guard/run-guardian.ts";
import { machineClock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import { noUsage } from "../protocol/usage.ts";
import type { ReservationResult } from "../stores/stores.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { createSpending } from "./spending.ts";
import { createTreeBudget } from "./tree-budget.ts";

const CENT = 10_000_000;
const totals = { session: 0, day: 2 * CENT, month: 2 * CENT, dayName: "2030-01-02", monthName: "2030-01" };

/** The message of the run's end after a reservation with this result. */
async function endAfter(result: ReservationResult): Promise<string | undefined> {
  const { spending, guard } = setUp([result], () => 2 * CENT);
  await spending.reserve("model", { inputTokens: 10, maxOutputTokens: 10 });
  guard.close();
  return guard.stop?.message;
}

/** A run whose reservations have these results; the last one is repeated. Waits take no time. */
function setUp(results: readonly ReservationResult[], maxPrice: RunPrices["maxPrice"], sleep = async () => {}) {
  const remaining = [...results];
  const events: AgentEventBody[] = [];
  const guard = createGuard({
    policy: { ...defaultPolicy, limits: { "day-cost": { stop: 3 * CENT } } },
    run: "run_1",
    attended: false,
    canAsk: false,
    tools: createToolRegistry([]),
    clock: machineClock,
    emit: () => undefined,
    signal: new AbortController().signal,
  });
  const spending = createSpending({
    runId: "run_1",
    billingSessionId: "ses_1",
    isStreamed: true,
    ledger: {
      recordPossibleUse: async () => undefined,
      reserve: async () => {
        const result = remaining.length > 1 ? remaining.shift() : remaining[0];
        if (result === undefined) throw new Error("Expected a result.");
        return result;
      },
    },
    prices: { maxPrice, price: () => CENT },
    writer: { addCost: () => undefined, flushCosts: async () => undefined },
    guard,
    emit: (event) => void events.push(event),
    clock: { ...machineClock, sleep },
    spent: { usage: noUsage, costNanoUsd: 0 },
    totals,
    tree: createTreeBudget(),
  });
  return { spending, guard, events };
}

test.each([
  [100_000, undefined],
  [10_000, 4_096],
  [2_000, 1_024],
])("if the last cent buys %i tokens, a reply of 64,000 is limited to %s", async (tokensPerCent, limit) => {
  const { spending, guard } = setUp([{ ok: true, totals }], (_, { maxOutput }) => maxOutput * (CENT / tokensPerCent));
  const reserved = await spending.reserve("model", { inputTokens: 10, maxOutputTokens: 64_000 });
  guard.close();
  expect([reserved.ok, reserved.ok ? reserved.maxOutputTokens : ""]).toEqual([true, limit]);
});

test("what other requests have reserved is not called spent", async () => {
  expect(await endAfter({ ok: false, totals, limit: "day", reserved: 3 * CENT })).toBe(
    "The runs of today have used $0.02 of $0.03. Other requests have reserved $0.03 more. " +
      "The next request is estimated at $0.02, so it was not sent. The run is ended here.",
  );
});

test("a small reservation that leaves too little ends the run as well", async () => {
  expect(await endAfter({ ok: false, totals, limit: "day", reserved: CENT / 2 })).toContain(
    "have used $0.02 of $0.03. Other requests have reserved $0.0050 more.",
  );
});

test("without reservations the spent amount is reported", async () => {
  const spent = { ...totals, day: 3 * CENT };
  expect(await endAfter({ ok: false, totals: spent, limit: "day", reserved: 0 })).toBe(
    "The runs of today have used $0.03 of $0.03 (100 %). The run is ended here.",
  );
});

describe("59 money that other requests hold", () => {
  const held: ReservationResult = { ok: false, totals, limit: "day", reserved: CENT };
  const size = { inputTokens: 10, maxOutputTokens: 10 };

  test("is waited for, and the request is sent as soon as it is free", async () => {
    const { spending, guard, events } = setUp([held, held, { ok: true, totals }], () => CENT);
    expect(await spending.reserve("model", size)).toMatchObject({ ok: true });
    guard.close();
    expect(guard.stop).toBeUndefined();
    expect(events).toEqual([
      { type: "BudgetWait", limit: "day-cost", reserved: CENT, waitMs: 500 },
      { type: "BudgetWait", limit: "day-cost", reserved: CENT, waitMs: 1_000 },
    ]);
  });

  test("ends the run after 45 seconds", async () => {
    const { spending, guard, events } = setUp([held], () => CENT);
    expect(await spending.reserve("model", size)).toMatchObject({ ok: false });
    guard.close();
    expect(guard.stop?.reason).toBe("day_budget");
    const waits = events.flatMap((event) => (event.type === "BudgetWait" ? [event.waitMs] : []));
    expect(waits.reduce((sum, waitMs) => sum + waitMs, 0)).toBe(45_000);
  });

  test("is not waited for when the budget is spent", async () => {
    const spent: ReservationResult = { ...held, totals: { ...totals, day: 3 * CENT } };
    const { spending, guard, events } = setUp([spent], () => CENT);
    expect(await spending.reserve("model", size)).toMatchObject({ ok: false });
    guard.close();
    expect([guard.stop?.reason, events]).toEqual(["day_budget", []]);
  });

  test("is no longer waited for after a cancellation, which does not count as a spent budget", async () => {
    const cancel = new AbortController();
    const { spending, guard } = setUp(
      [held],
      () => CENT,
      () => {
        cancel.abort();
        return new Promise(() => undefined);
      },
    );
    expect(await spending.reserve("model", size, cancel.signal)).toMatchObject({ ok: false });
    guard.close();
    expect(guard.stop).toBeUndefined();
  });
});
