import { describe, expect, test } from "vitest";
import { thisProcess } from "../../src/stores/holder.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { claimLease, cost, endedHolder, hour, noon, running } from "./samples.ts";

export function costsContract(open: () => Promise<OpenedStores>): void {
  describe("costs", () => {
    const stores = freshStores(open);
    const totals = (sessionId = "ses_1", at = noon) => stores().costs.totals(sessionId, at);
    const settle = async (...rows: ReturnType<typeof cost>[]) => {
      const lease = await claimLease(stores(), "ses_ledger");
      await stores().sessions.commit(lease, { at: 0, costs: rows });
      await stores().sessions.release(lease);
    };

    test("without costs the totals are zero, with the names of the day and the month", async () => {
      expect(await totals()).toEqual({ session: 0, day: 0, month: 0, dayName: "2026-03-15", monthName: "2026-03" });
    });

    test("a session counts its own costs, a day and a month the costs of all sessions", async () => {
      await settle(
        cost("ses_1", noon, 5),
        cost("ses_2", noon, 7),
        cost("ses_1", noon - 24 * hour, 100),
        cost("ses_1", Date.UTC(2026, 1, 1), 1_000),
      );
      expect(await totals()).toMatchObject({ session: 1_105, day: 12, month: 112 });
      expect(await totals("ses_2")).toMatchObject({ session: 7, day: 12, month: 112 });
    });

    test("the last millisecond of a year and the first of the next belong to different months, in UTC", async () => {
      const midnight = Date.UTC(2027, 0, 1);
      await settle(cost("ses_1", midnight - 1, 1), cost("ses_1", midnight, 10));
      expect(await totals("ses_1", midnight - 1)).toEqual({
        session: 11,
        day: 1,
        month: 1,
        dayName: "2026-12-31",
        monthName: "2026-12",
      });
      expect(await totals("ses_1", midnight)).toEqual({
        session: 11,
        day: 10,
        month: 10,
        dayName: "2027-01-01",
        monthName: "2027-01",
      });
    });

    test("a request belongs to the month of its reservation, however late it is settled", async () => {
      const midnight = Date.UTC(2027, 0, 1);
      await stores().costs.reserve(cost("ses_1", midnight - 1, 10, "req"), {});
      await settle(cost("ses_1", midnight + hour, 4, "req"));
      expect(await totals("ses_1", midnight - 1)).toMatchObject({ session: 4, month: 4 });
      expect(await totals("ses_1", midnight)).toMatchObject({ session: 4, month: 0 });
      expect((await stores().costs.rows("ses_1")).map(({ at }) => at)).toEqual([midnight - 1]);
    });

    test("a clock that goes back finds the unchanged total of the earlier month", async () => {
      await settle(cost("ses_1", noon, 5), cost("ses_1", Date.UTC(2026, 3, 1), 7));
      expect(await totals()).toMatchObject({ month: 5, monthName: "2026-03" });
    });

    test("a request without a price adds nothing, but has a row", async () => {
      await settle(cost("ses_1", noon, 5), cost("ses_1", noon, null, "req_free"));
      await stores().costs.reserve(cost("ses_1", noon, null), { month: 100 });
      expect(await totals()).toMatchObject({ session: 5, day: 5, month: 5 });
      expect(await stores().costs.rows("ses_1")).toHaveLength(3);
    });

    test("large sums are exact", async () => {
      const amount = 4_503_599_627_370_495; // half of the largest safe integer
      await settle(cost("ses_1", noon, amount), cost("ses_1", noon, amount));
      expect((await totals()).session).toBe(2 * amount);
    });

    test("a cost that is not a whole number is not reserved", async () => {
      for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, -1])
        await expect(stores().costs.reserve(cost("ses_1", noon, wrong), {})).rejects.toThrow(/nano-dollars/);
      expect(await stores().costs.rows("ses_1")).toEqual([]);
    });

    test("a reserved amount is not spent, and a settled one replaces it once", async () => {
      expect(await stores().costs.reserve(cost("ses_1", noon, 10, "req"), {})).toEqual({
        ok: true,
        totals: await totals(),
      });
      expect(await totals()).toMatchObject({ session: 0, day: 0, month: 0 });
      await settle(cost("ses_1", noon, 4, "req"));
      await settle(cost("ses_1", noon, 4, "req"));
      expect(await totals()).toMatchObject({ session: 4, day: 4, month: 4 });
      expect(
        (await stores().costs.rows("ses_1")).map(({ id, state, costNanoUsd }) => [id, state, costNanoUsd]),
      ).toEqual([["req", "settled", 4]]);
    });

    test("a request is recorded once", async () => {
      await stores().costs.reserve(cost("ses_1", noon, 10, "req"), {});
      await expect(stores().costs.reserve(cost("ses_1", noon, 10, "req"), {})).rejects.toThrow(/already/);
      await settle(cost("ses_1", noon, 4, "req"));
      await expect(stores().costs.reserve(cost("ses_1", noon, 10, "req"), {})).rejects.toThrow(/already/);
      expect(await totals()).toMatchObject({ session: 4 });
    });

    test("a reservation must fit beside the spent and the reserved amounts", async () => {
      await settle(cost("ses_1", noon, 50));
      expect(await stores().costs.reserve(cost("ses_1", noon, 30), { month: 100 })).toMatchObject({ ok: true });
      expect(await stores().costs.reserve(cost("ses_2", noon, 21), { month: 100 })).toMatchObject({
        ok: false,
        limit: "month",
        reserved: 30,
        totals: { session: 0, day: 50, month: 50 },
      });
      expect(await stores().costs.rows("ses_2")).toEqual([]);
      expect(await stores().costs.reserve(cost("ses_2", noon, 20), { month: 100 })).toMatchObject({ ok: true });
    });

    test("a request that alone is more than what is left is refused, also if nothing else is reserved", async () => {
      const reserve = (nanoUsd: number | null) =>
        stores().costs.reserve(cost("ses_1", noon, nanoUsd), { session: 100 });
      expect(await reserve(101)).toMatchObject({ ok: false, limit: "session", reserved: 0, totals: { session: 0 } });
      await settle(cost("ses_1", noon, 99));
      expect(await reserve(2)).toMatchObject({ ok: false, limit: "session", reserved: 0, totals: { session: 99 } });
      expect(await reserve(null)).toMatchObject({ ok: true });
      expect(await reserve(1)).toMatchObject({ ok: true });
      expect(await reserve(0)).toMatchObject({ ok: true });
    });

    test("each limit is checked on its own, and 0 means unlimited", async () => {
      await settle(cost("ses_1", noon - 24 * hour, 50), cost("ses_2", noon, 40));
      const refusedBy = async (limits: Record<string, number>) => {
        const reserved = await stores().costs.reserve(cost("ses_1", noon, 0), limits);
        return reserved.ok ? undefined : reserved.limit;
      };
      expect(await refusedBy({ session: 49, day: 39, month: 89 })).toBe("session");
      expect(await refusedBy({ session: 50, day: 39, month: 89 })).toBe("day");
      expect(await refusedBy({ session: 50, day: 40, month: 89 })).toBe("month");
      expect(await refusedBy({ session: 0, day: 0, month: 0 })).toBeUndefined();
    });

    test("of two hundred reservations at the same time, as many are granted as fit", async () => {
      const results = await Promise.all(
        Array.from({ length: 200 }, () => stores().costs.reserve(cost("ses_1", noon, 10), { month: 1_000 })),
      );
      expect(results.filter(({ ok }) => ok)).toHaveLength(100);
    });

    test("a reservation that is older than an hour counts as spent, and can still be settled", async () => {
      await stores().costs.reserve(cost("ses_1", noon, 10, "req"), {});
      expect(await totals("ses_1", noon + hour)).toMatchObject({ session: 0, day: 0, month: 0 });
      expect(await totals("ses_1", noon + hour + 1)).toMatchObject({ session: 10, day: 10, month: 10 });
      expect(await stores().costs.reserve(cost("ses_2", noon + hour + 1, 5), { month: 15 })).toMatchObject({
        ok: true,
        totals: { month: 10 },
      });
      expect((await stores().costs.rows("ses_1")).map(({ state }) => state)).toEqual(["unconfirmed"]);
      await settle(cost("ses_1", noon, 3, "req"));
      expect(await totals("ses_1", noon + hour + 1)).toMatchObject({ session: 3, day: 3, month: 3 });
    });

    test("an overdue reservation counts with what the request can have used, also before it is marked", async () => {
      const at = noon + hour + 1;
      const possible = { output: 2, costNanoUsd: 20 };
      await stores().costs.reserve({ ...cost("ses_1", noon, 100, "req"), possible }, {});
      const read = async () => [
        await totals("ses_1", at),
        await stores().costs.sums("month", { at }),
        await stores().costs.reserved(at),
        await stores().costs.unconfirmed(at),
      ];
      const before = await read();
      expect(before).toMatchObject([
        { month: 20 },
        [{ costNanoUsd: 20, uncertainNanoUsd: 20 }],
        [],
        [{ id: "req", state: "unconfirmed", costNanoUsd: 20 }],
      ]);
      await stores().costs.reserve(cost("ses_2", at, 0, "req_2"), {});
      await settle(cost("ses_2", at, 0, "req_2"));
      expect([(await read())[0], (await read())[3]]).toEqual([before[0], before[3]]);
    });

    describe("a reservation of a process that is known to have ended", () => {
      const possible = { output: 2, costNanoUsd: 20 };
      const killed = async () => {
        await stores().sessions.claim("ses_1", endedHolder("proc_dead"), noon);
        await stores().costs.reserve({ ...cost("ses_1", noon, 100, "req"), possible }, {});
      };

      test("counts at once with what the request can have used, wherever it is read", async () => {
        await killed();
        await claimLease(stores(), "ses_2", noon);
        await stores().costs.reserve(cost("ses_2", noon, 30, "req_living"), {});
        expect(await totals()).toMatchObject({ session: 20, day: 20, month: 20 });
        expect((await stores().costs.rows("ses_1")).map(({ state, costNanoUsd }) => [state, costNanoUsd])).toEqual([
          ["unconfirmed", 20],
        ]);
        expect((await stores().costs.reserved(noon)).map(({ id, state }) => [id, state])).toEqual([
          ["req_living", "reserved"],
        ]);
        expect((await stores().costs.unconfirmed()).map(({ id, costNanoUsd }) => [id, costNanoUsd])).toEqual([
          ["req", 20],
        ]);
        expect(await stores().costs.sums("month")).toMatchObject([
          { requests: 2, costNanoUsd: 50, uncertainNanoUsd: 50 },
        ]);
      });

      test("does not refuse the next request, and is settled by a user at once", async () => {
        await killed();
        expect(await stores().costs.reserve(cost("ses_2", noon, 80), { month: 100 })).toMatchObject({ ok: true });
        expect(await stores().costs.reserve(cost("ses_2", noon, 1), { month: 100 })).toMatchObject({ ok: false });
        await stores().sessions.claim("ses_3", endedHolder("proc_dead"), noon);
        await stores().costs.reserve({ ...cost("ses_3", noon, 100, "req_3"), possible }, {});
        const correction = { costNanoUsd: 5, by: "ann", at: noon };
        expect(await stores().costs.settleUnconfirmed({ sessionId: "ses_3", id: "req_3" }, correction)).toBe(true);
        expect(await totals("ses_3")).toMatchObject({ session: 5, month: 25 });
      });

      test("of a subagent counts once its own process has ended, too", async () => {
        const child = thisProcess();
        const claim = await stores().sessions.claim("ses_child", child, noon);
        if (!claim.ok) throw new Error("Expected a free session.");
        await stores().sessions.commit(claim.lease, { at: noon, run: running("run_1") });
        await killed(); // its run is run_1, which now belongs to a process that runs
        expect(await totals()).toMatchObject({ session: 0 });
        await stores().sessions.release(claim.lease);
        expect(await totals()).toMatchObject({ session: 20 });
      });

      test("is kept as unconfirmed when its session is removed", async () => {
        await killed();
        await stores().sessions.remove("ses_1", noon);
        expect((await stores().costs.rows("ses_1")).map(({ state, costNanoUsd }) => [state, costNanoUsd])).toEqual([
          ["unconfirmed", 20],
        ]);
        expect(await totals()).toMatchObject({ session: 20, month: 20 });
      });
    });

    test("4 a lost reservation counts with what the request can have used, as it was recorded last", async () => {
      const possible = { output: 2, costNanoUsd: 20 };
      await stores().costs.reserve({ ...cost("ses_1", noon, 100, "req_1"), possible }, {});
      await stores().costs.reserve({ ...cost("ses_1", noon, 100, "req_2"), possible }, {});
      await stores().costs.reserve(cost("ses_1", noon, 100, "req_3"), {});
      await stores().costs.recordPossibleUse({ sessionId: "ses_1", id: "req_2" }, { output: 5, costNanoUsd: 70 });
      await stores().costs.recordPossibleUse({ sessionId: "ses_1", id: "req_none" }, { output: 5, costNanoUsd: 70 });
      await stores().sessions.release(await claimLease(stores(), "ses_1"));
      const rows = await stores().costs.unconfirmed();
      expect(rows.map(({ id, state, costNanoUsd }) => [id, state, costNanoUsd])).toEqual([
        ["req_1", "unconfirmed", 20],
        ["req_2", "unconfirmed", 70],
        ["req_3", "unconfirmed", 100],
      ]);
      expect(await totals()).toMatchObject({ session: 190, day: 190, month: 190 });
    });

    test("a possible use above the reservation, or of a settled request, changes nothing", async () => {
      const possible = { output: 1e6, costNanoUsd: 1_000 };
      await stores().costs.reserve({ ...cost("ses_1", noon, 100, "req_1"), possible }, {});
      await settle(cost("ses_2", noon, 3, "req_2"));
      await stores().costs.recordPossibleUse({ sessionId: "ses_2", id: "req_2" }, { output: 0, costNanoUsd: 0 });
      await stores().sessions.release(await claimLease(stores(), "ses_1"));
      expect(await totals()).toMatchObject({ session: 100, day: 103 });
    });

    test("a user settles an unconfirmed request once; the row keeps who did it and the earlier amount", async () => {
      await stores().costs.reserve(cost("ses_1", noon, 100, "req"), {});
      const request = { sessionId: "ses_1", id: "req" };
      const correction = { costNanoUsd: 12, by: "ann", at: noon + hour };
      expect(await stores().costs.settleUnconfirmed(request, correction)).toBe(false); // still in flight
      await stores().sessions.release(await claimLease(stores(), "ses_1"));
      expect(await stores().costs.settleUnconfirmed(request, correction)).toBe(true);
      expect(await stores().costs.settleUnconfirmed(request, { ...correction, costNanoUsd: 0 })).toBe(false);
      expect(await stores().costs.settleUnconfirmed({ ...request, id: "'; DROP TABLE costs" }, correction)).toBe(false);
      expect(await totals()).toMatchObject({ session: 12, day: 12, month: 12 });
      expect(await stores().costs.unconfirmed()).toEqual([
        expect.objectContaining({
          id: "req",
          state: "settled",
          costNanoUsd: 12,
          correction: { by: "ann", at: noon + hour, fromNanoUsd: 100 },
        }),
      ]);
    });
  });
}
