import { describe, expect, test } from "vitest";
import type { AuditRow } from "../../src/protocol/audit.ts";
import type { AuditFilter, Lease } from "../../src/stores/stores.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { claimLease, holder, said } from "./samples.ts";

type Decision = Extract<AuditRow, { readonly type: "decision" }>;

function decision(callId: string, fields: Partial<Decision> = {}): Decision {
  return {
    type: "decision",
    id: `aud_${callId}`,
    at: 10,
    sessionId: "ses_1",
    runId: "run_1",
    callId,
    tool: "bash",
    input: "ls",
    by: "gate",
    tier: 0,
    decision: "allow",
    reason: "Only reads.",
    ...fields,
  };
}

function outcome(callId: string, fields: Partial<Extract<AuditRow, { readonly type: "outcome" }>> = {}): AuditRow {
  return { type: "outcome", at: 11, sessionId: "ses_1", runId: "run_1", callId, outcome: "harmless", ...fields };
}

export function auditContract(open: () => Promise<OpenedStores>): void {
  describe("audit trail", () => {
    const stores = freshStores(open);
    const writer = async (sessionId = "ses_1") => {
      const lease = await claimLease(stores(), sessionId);
      return (...audit: readonly AuditRow[]) => write(lease, audit);
    };
    const write = (lease: Lease, audit: readonly AuditRow[]) => stores().sessions.commit(lease, { at: 1, audit });
    const calls = async (filter?: AuditFilter) => (await stores().audit.list(filter)).map(({ callId }) => callId);

    test("a decision is read with its approval and its outcome, newest first", async () => {
      const add = await writer();
      const full = decision("c1", {
        tier: 3,
        decision: "ask",
        principles: [{ principle: "intent", verdict: "caution", reason: "Was not asked for." }],
        patterns: ["pipe-to-shell"],
        rule: "security.rules[0]",
        lessons: ["lesson_1"],
      });
      await add(full);
      await add(
        { type: "approval", at: 11, sessionId: "ses_1", runId: "run_1", callId: "c1", isAllowed: false, reason: "no" },
        outcome("c1", { outcome: "incident", severity: "high", reason: "It was one." }),
        decision("c2"),
      );
      const { type: _type, ...read } = full;
      const entries = await stores().audit.list();
      expect(entries.map(({ seq }) => seq)).toEqual([4, 1]);
      expect(entries[1]).toEqual({
        ...read,
        seq: 1,
        approval: { at: 11, isAllowed: false, reason: "no" },
        outcome: { outcome: "incident", severity: "high", reason: "It was one." },
      });
      expect(entries[0]?.outcome).toEqual({ outcome: "unknown" });
    });

    test("the last outcome of a call counts, and belongs to the last decision about it", async () => {
      const add = await writer();
      await add(decision("c1", { id: "aud_old" }), decision("c1", { id: "aud_new" }), outcome("c1"));
      await add(outcome("c1", { outcome: "corrected" }));
      expect((await stores().audit.list()).map(({ id, outcome }) => [id, outcome.outcome])).toEqual([
        ["aud_new", "corrected"],
        ["aud_old", "unknown"],
      ]);
    });

    test("every filter holds, and a limit takes the newest", async () => {
      const [add, addOther] = [await writer(), await writer("ses_2")];
      await add(
        decision("c1", { at: 10, tier: 4, decision: "deny", tool: "write" }),
        outcome("c1", { outcome: "near_miss" }),
      );
      await addOther(decision("c2", { at: 20, sessionId: "ses_2", runId: "run_2" }));
      const { tier: _tier, ...byGuardian } = decision("c3", { at: 30, by: "guardian", decision: "deny" });
      await add(byGuardian, outcome("c3", { at: 31 }));
      expect(await calls()).toEqual(["c3", "c2", "c1"]);
      expect(await calls({ limit: 2 })).toEqual(["c3", "c2"]);
      expect(await calls({ limit: 0 })).toEqual([]);
      expect(await calls({ sessionId: "ses_1" })).toEqual(["c3", "c1"]);
      expect(await calls({ runId: "run_2" })).toEqual(["c2"]);
      expect(await calls({ tool: "write" })).toEqual(["c1"]);
      expect(await calls({ decision: "deny" })).toEqual(["c3", "c1"]);
      expect(await calls({ minTier: 0 })).toEqual(["c2", "c1"]);
      expect(await calls({ minTier: 3 })).toEqual(["c1"]);
      expect(await calls({ outcome: "near_miss" })).toEqual(["c1"]);
      expect(await calls({ outcome: "unknown" })).toEqual(["c2"]);
      expect(await calls({ since: 20 })).toEqual(["c3", "c2"]);
      expect(await calls({ after: 1 })).toEqual(["c3", "c2"]);
      expect(await calls({ sessionId: "ses_1", decision: "deny", limit: 1 })).toEqual(["c3"]);
      expect(await calls({ sessionId: "' OR 1=1 --" })).toEqual([]);
    });

    test("rows are followed in order, and the newest number is known", async () => {
      const add = await writer();
      expect(await stores().audit.lastSeq()).toBe(0);
      await add(decision("c1"), outcome("c1"));
      await add(decision("c2"));
      expect(await stores().audit.lastSeq()).toBe(3);
      expect(await stores().audit.rowsAfter(1, 10)).toEqual([
        { seq: 2, row: outcome("c1") },
        { seq: 3, row: decision("c2") },
      ]);
      expect((await stores().audit.rowsAfter(0, 2)).map(({ seq }) => seq)).toEqual([1, 2]);
    });

    test("rows are written with the rest of a commit, or not at all", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.claim("ses_1", holder("proc_2"), 1e12);
      const commit = { at: 1, messages: [said("m1")], audit: [decision("c1")] };
      await expect(stores().sessions.commit(lease, commit)).rejects.toThrow();
      expect(await calls()).toEqual([]);
    });

    test("rows outlive their session, and are removed by age", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await write(lease, [decision("c1", { at: 10 }), outcome("c1", { at: 12 })]);
      await write(
        lease,
        Array.from({ length: 1_200 }, (_, index) => decision(`d${index}`, { at: 15 })),
      );
      await write(lease, [decision("c2", { at: 20 })]);
      await stores().sessions.release(lease);
      await stores().sessions.remove("ses_1", 1e12);
      expect(await calls({ limit: 1 })).toEqual(["c2"]);
      expect(await stores().audit.removeBefore(20, { isDryRun: true })).toBe(1_202);
      expect(await calls()).toHaveLength(1_202);
      expect(await stores().audit.removeBefore(20)).toBe(1_202);
      expect(await calls()).toEqual(["c2"]);
      expect(await stores().audit.removeBefore(20)).toBe(0);
    });
  });
}
