import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusingLimit } from "../../src/stores/money-limits.ts";
import type { CostRow, LedgerEntry, Stores } from "../../src/stores/stores.ts";
import { dayOf, monthOf } from "../../src/stores/utc.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { claimLease, cost, holder, hour, noon, usage } from "./samples.ts";

export function ledgerContract(open: () => Promise<OpenedStores>): void {
  describe("the cost ledger", () => {
    const stores = freshStores(open);

    test("adds up costs by session, run, model, day and month", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const midnight = Date.UTC(2026, 3, 1);
      const rows: CostRow[] = [
        { ...cost("ses_1", noon, 5), runId: "run_1", model: "big" },
        { ...cost("ses_1", noon, null), runId: "run_1", model: "free" },
        { ...cost("ses_1", midnight, 7), runId: "run_2", model: "big", usage: { ...usage, isEstimated: true } },
        { ...cost("ses_2", midnight, 11), runId: "run_3", model: "big", usage: { ...usage, input: 100, output: 1 } },
      ];
      await stores().sessions.commit(lease, { at: 0, costs: rows });
      await stores().costs.reserve({ ...cost("ses_2", midnight + 1, 13), runId: "run_3", model: "big" }, {});
      const sums = async (...parameters: Parameters<Stores["costs"]["sums"]>) =>
        (await stores().costs.sums(...parameters)).map(({ key, requests, costNanoUsd }) => [
          key,
          requests,
          costNanoUsd,
        ]);
      expect(await stores().costs.sums("model")).toEqual([
        {
          key: "big",
          requests: 4,
          costNanoUsd: 36,
          inputTokens: 130,
          outputTokens: 16,
          unpricedTokens: 0,
          uncertainNanoUsd: 13,
          estimatedRequests: 1,
        },
        {
          key: "free",
          requests: 1,
          costNanoUsd: 0,
          inputTokens: 10,
          outputTokens: 5,
          unpricedTokens: 15,
          uncertainNanoUsd: 0,
          estimatedRequests: 0,
        },
      ]);
      expect(await sums("session")).toEqual([
        ["ses_1", 3, 12],
        ["ses_2", 2, 24],
      ]);
      expect(await sums("run")).toEqual([
        ["run_1", 2, 5],
        ["run_2", 1, 7],
        ["run_3", 2, 24],
      ]);
      expect(await sums("day")).toEqual([
        ["2026-03-15", 2, 5],
        ["2026-04-01", 3, 31],
      ]);
      expect(await sums("month")).toEqual([
        ["2026-03", 2, 5],
        ["2026-04", 3, 31],
      ]);
      expect(await sums("month", { sessionId: "ses_1" })).toEqual([
        ["2026-03", 2, 5],
        ["2026-04", 1, 7],
      ]);
      expect(await sums("session", { since: midnight })).toEqual([
        ["ses_1", 1, 7],
        ["ses_2", 2, 24],
      ]);
      expect(await sums("run", { sessionId: "ses_2", since: midnight + 1 })).toEqual([["run_3", 1, 13]]);
      expect(await sums("run", { sessionId: "ses_none" })).toEqual([]);
    });

    test("returns complete rows of one session, oldest first", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const [young, old, free] = [cost("ses_1", noon + 1, 5), cost("ses_1", noon, 6), cost("ses_1", noon + 2, null)];
      await stores().sessions.commit(lease, { at: 0, costs: [young, old, free, cost("ses_2", noon, 1)] });
      const state = "settled";
      expect(await stores().costs.rows("ses_1")).toEqual([old, young, free].map((row) => ({ ...row, state })));
    });

    test("stays consistent, whatever is reserved, settled, forgotten and marked as unconfirmed", async () => {
      const session = fc.constantFrom("ses_1", "ses_2");
      const money = fc.option(fc.integer({ min: 0, max: 50 }));
      const limits = fc
        .record({ session: money, day: money, month: money })
        .map((some) => ({ session: some.session ?? 0, day: some.day ?? 0, month: some.month ?? 0 }));
      const action = fc.oneof(
        fc.record({ type: fc.constant("reserve" as const), session, money, limits }),
        fc.record({ type: fc.constant("settle" as const), session, money, which: fc.nat(9) }),
        fc.record({ type: fc.constant("take over" as const), session }),
        fc.record({
          type: fc.constant("wait" as const),
          ms: fc.constantFrom(1, hour / 2, hour, 24 * hour, 20 * 24 * hour),
        }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
          const { stores: fresh, close } = await open();
          try {
            await checkAgainstModel(fresh, actions);
          } finally {
            await close();
          }
        }),
        { numRuns: 40 },
      );
    }, 120_000);
  });
}

type Action =
  | {
      readonly type: "reserve";
      readonly session: string;
      readonly money: number | null;
      readonly limits: Record<"session" | "day" | "month", number>;
    }
  | { readonly type: "settle"; readonly session: string; readonly money: number | null; readonly which: number }
  | { readonly type: "take over"; readonly session: string }
  | { readonly type: "wait"; readonly ms: number };

/** The model is a list of rows that is added up for each question. */
async function checkAgainstModel(stores: Stores, actions: readonly Action[]): Promise<void> {
  const rows = new Map<string, LedgerEntry>();
  const leases = new Map([
    ["ses_1", await claimLease(stores, "ses_1", noon)],
    ["ses_2", await claimLease(stores, "ses_2", noon)],
  ]);
  let [at, holders] = [noon, 0];
  const sum = (isCounted: (row: LedgerEntry) => boolean) =>
    [...rows.values()].filter(isCounted).reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
  const balance = (belongs: (row: LedgerEntry) => boolean) => ({
    spent: sum((row) => belongs(row) && row.state !== "reserved"),
    reserved: sum((row) => belongs(row) && row.state === "reserved"),
  });
  const balances = (sessionId: string) => ({
    session: balance((row) => row.sessionId === sessionId),
    day: balance((row) => dayOf(row.at) === dayOf(at)),
    month: balance((row) => monthOf(row.at) === monthOf(at)),
  });
  const markUnconfirmed = (isLost: (row: LedgerEntry) => boolean) => {
    for (const row of rows.values())
      if (row.state === "reserved" && isLost(row)) rows.set(row.id, { ...row, state: "unconfirmed" });
  };

  for (const action of actions) {
    switch (action.type) {
      case "reserve": {
        const row = cost(action.session, at, action.money);
        markUnconfirmed((other) => other.at < at - hour);
        const refusing = refusingLimit(balances(action.session), action.money ?? 0, action.limits);
        const reserved = await stores.costs.reserve(row, action.limits);
        expect(reserved.ok ? undefined : reserved.limit).toBe(refusing);
        if (reserved.ok) rows.set(row.id, { ...row, state: "reserved" });
        break;
      }
      case "settle": {
        const lease = leases.get(action.session);
        const mine = [...rows.values()].filter(({ sessionId }) => sessionId === action.session);
        const row = {
          ...(mine[action.which] ?? cost(action.session, at, 0)),
          costNanoUsd: action.money,
          state: "settled" as const,
        };
        if (lease !== undefined) await stores.sessions.commit(lease, { at, costs: [row] });
        rows.set(row.id, row);
        break;
      }
      case "take over": {
        at += hour;
        holders += 1;
        const claim = await stores.sessions.claim(action.session, holder(`proc_${holders}`), at);
        if (!claim.ok) throw new Error("Expected an expired lease.");
        leases.set(action.session, claim.lease);
        markUnconfirmed(({ sessionId }) => sessionId === action.session);
        break;
      }
      case "wait":
        at += action.ms;
        break;
      default:
        action satisfies never;
    }
    const overdue = (row: LedgerEntry) => row.state === "reserved" && row.at < at - hour;
    for (const sessionId of ["ses_1", "ses_2"]) {
      const { session, day, month } = balances(sessionId);
      expect(await stores.costs.totals(sessionId, at)).toMatchObject({
        session: session.spent + sum((row) => overdue(row) && row.sessionId === sessionId),
        day: day.spent + sum((row) => overdue(row) && dayOf(row.at) === dayOf(at)),
        month: month.spent + sum((row) => overdue(row) && monthOf(row.at) === monthOf(at)),
      });
    }
  }
  const ledger = [...(await stores.costs.rows("ses_1")), ...(await stores.costs.rows("ses_2"))];
  expect(new Map(ledger.map(({ id, costNanoUsd, at }) => [id, { costNanoUsd, at }]))).toEqual(
    new Map([...rows.values()].map(({ id, costNanoUsd, at }) => [id, { costNanoUsd, at }])),
  );
}
