import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { thisProcess } from "../../src/stores/holder.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { claimLease, cost, holder, noon, said } from "./samples.ts";

export function leaseContract(open: () => Promise<OpenedStores>): void {
  describe("a lease", () => {
    const stores = freshStores(open);
    const claim = (id: string, at: number) => stores().sessions.claim("ses_1", holder(id), at);

    test("keeps other processes out, and names its holder", async () => {
      expect(await claim("proc_1", 0)).toMatchObject({ ok: true, lease: { sessionId: "ses_1" } });
      expect(await claim("proc_2", 59_999)).toEqual({ ok: false, holder: holder("proc_1") });
      expect(await stores().sessions.claim("ses_2", holder("proc_2"), 0)).toMatchObject({ ok: true });
    });

    test("is replaced when its own holder claims again, because a release may have failed", async () => {
      const old = await claimLease(stores(), "ses_1", 0);
      await stores().costs.reserve(cost("ses_1", noon, 5), {});
      const again = await claimLease(stores(), "ses_1", 1);
      expect(again.fence).toBeGreaterThan(old.fence);
      await expect(stores().sessions.commit(old, { at: 2, messages: [said("1")] })).rejects.toMatchObject({
        name: "LeaseLostError",
      });
      await stores().sessions.release(old);
      await stores().sessions.commit(again, { at: 2, messages: [said("2")] });
      expect((await stores().costs.rows("ses_1")).map(({ state }) => state)).toEqual(["unconfirmed"]);
      expect(await claim("proc_2", 3)).toMatchObject({ ok: false });
    });

    test("is free after its release, and its former holder cannot write", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.release(lease);
      expect(await stores().sessions.renew(lease, 1)).toBe(false);
      await expect(stores().sessions.commit(lease, { at: 1, messages: [said("1")] })).rejects.toMatchObject({
        name: "LeaseLostError",
      });
      expect(await claim("proc_2", 1)).toMatchObject({ ok: true });
    });

    test("lasts a minute after its last renewal", async () => {
      const lease = await claimLease(stores(), "ses_1", 0);
      expect(await stores().sessions.renew(lease, 50_000)).toBe(true);
      expect(await claim("proc_2", 109_999)).toMatchObject({ ok: false });
      expect(await claim("proc_2", 110_000)).toMatchObject({ ok: true });
    });

    test("is renewed by a commit", async () => {
      const lease = await claimLease(stores(), "ses_1", 0);
      await stores().sessions.commit(lease, { at: 50_000 });
      expect(await claim("proc_2", 109_999)).toMatchObject({ ok: false });
    });

    test("that has expired is valid until another process claims the session", async () => {
      const lease = await claimLease(stores(), "ses_1", 0);
      await stores().sessions.commit(lease, { at: 500_000, messages: [said("1")] });
      expect(await stores().sessions.renew(lease, 600_000)).toBe(true);
    });

    test("that another process took over is invalid for its former holder, whose release has no effect", async () => {
      const old = await claimLease(stores(), "ses_1", 0);
      const claimed = await claim("proc_2", 60_000);
      if (!claimed.ok) throw new Error("Expected an expired lease.");
      expect(claimed.lease.fence).toBeGreaterThan(old.fence);
      expect(await stores().sessions.renew(old, 60_001)).toBe(false);
      await stores().sessions.release(old);
      await expect(stores().sessions.commit(old, { at: 60_001, messages: [said("1")] })).rejects.toMatchObject({
        name: "LeaseLostError",
      });
      await stores().sessions.commit(claimed.lease, { at: 60_001, messages: [said("2")] });
      expect((await stores().sessions.load("ses_1")).messages).toEqual([said("2")]);
    });

    test("of an ended process is taken over at once, that of a running process is not", async () => {
      const { pid } = spawnSync(process.execPath, ["-e", ""]);
      const me = thisProcess();
      await stores().sessions.claim("ses_1", { ...me, id: "proc_gone", pid }, 0);
      expect(await stores().sessions.claim("ses_1", me, 1)).toMatchObject({ ok: true });
      expect(await stores().sessions.claim("ses_1", thisProcess(), 2)).toEqual({ ok: false, holder: me });
    });

    test("leaves pending reservations as unconfirmed, which count as spent", async () => {
      await claimLease(stores(), "ses_1", 0);
      await stores().costs.reserve(cost("ses_1", noon, 5), {});
      await stores().costs.reserve(cost("ses_2", noon, 7), {});
      expect(await claim("proc_2", 1)).toMatchObject({ ok: false });
      expect(await stores().costs.totals("ses_1", noon)).toMatchObject({ session: 0 });
      expect(await claim("proc_2", 60_000)).toMatchObject({ ok: true });
      expect(await stores().costs.totals("ses_1", noon)).toMatchObject({ session: 5, day: 5, month: 5 });
      expect((await stores().costs.rows("ses_1")).map(({ state }) => state)).toEqual(["unconfirmed"]);
      expect((await stores().costs.rows("ses_2")).map(({ state }) => state)).toEqual(["reserved"]);
    });
  });
}
