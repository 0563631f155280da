import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/events.ts";
import type { Commit } from "../../src/stores/stores.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import {
  broken,
  checkpoint,
  claimLease,
  cost,
  event,
  holder,
  noon,
  replied,
  result,
  running,
  said,
} from "./samples.ts";

export function commitContract(open: () => Promise<OpenedStores>): void {
  describe("a commit", () => {
    const stores = freshStores(open);
    const everything = async () => ({
      session: await stores().sessions.load("ses_1"),
      list: await stores().sessions.list(),
      events: await stores().events.after("ses_1", 0),
      rows: await stores().costs.rows("ses_1"),
      totals: await stores().costs.totals("ses_1", noon),
    });
    const fullCommit: Commit = {
      at: 2,
      messages: [replied("2")],
      unansweredCalls: [{ callId: "c1", tool: "read", state: "started" }],
      checkpoint: checkpoint(1),
      run: running("run_1"),
      costs: [cost("ses_1", noon, 5, "req_now")],
      events: [event("ses_1", 2), event("ses_1", 3)],
    };
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const cyclicEvent = {
      ...event("ses_1", 4),
      type: "ToolStart",
      callId: "c1",
      tool: "t",
      input: cyclic,
    } as AgentEvent;

    const impossible: readonly (readonly [string, Partial<Commit>])[] = [
      ["a message that is not JSON", { messages: [said("2"), broken("3")] }],
      ["an event that is not JSON", { events: [event("ses_1", 2), cyclicEvent] }],
      ["an event of another session", { events: [event("ses_1", 2), event("ses_2", 3)] }],
      ["an event without a number", { events: [event("ses_1", 2), event("ses_1", Number.NaN)] }],
      ["half a nano-dollar", { costs: [cost("ses_1", noon, 5), cost("ses_1", noon, 0.5)] }],
      ["a negative cost", { costs: [cost("ses_1", noon, 5), cost("ses_1", noon, -1)] }],
      ["a request without a time", { costs: [cost("ses_1", noon, 5), cost("ses_1", Number.NaN, 1)] }],
    ];
    test.each(impossible)("with %s changes nothing", async (_, part) => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.commit(lease, { at: 1, messages: [said("1")], events: [event("ses_1", 1)] });
      await stores().costs.reserve(cost("ses_1", noon, 9, "req_now"), {});
      const before = await everything();
      await expect(stores().sessions.commit(lease, { ...fullCommit, ...part })).rejects.toThrow();
      expect(await everything()).toEqual(before);
      await stores().sessions.commit(lease, fullCommit);
      expect(await everything()).toMatchObject({
        session: { messages: [said("1"), replied("2")], lastSeq: 3 },
        totals: { session: 5 },
      });
    });

    test("without the lease changes nothing", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.commit(lease, { at: 1, messages: [said("1")] });
      await stores().sessions.claim("ses_1", holder("proc_2"), 70_000);
      const before = await everything();
      await expect(stores().sessions.commit(lease, fullCommit)).rejects.toMatchObject({ name: "LeaseLostError" });
      expect(await everything()).toEqual(before);
    });

    test("stores calls as unanswered until their result comes, now or later", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const calls = async () => (await stores().sessions.load("ses_1")).unansweredCalls;
      const call = (callId: string, state: "awaiting-approval" | "started") => ({ callId, tool: "read", state });
      await stores().sessions.commit(lease, {
        at: 1,
        messages: [replied("1")],
        unansweredCalls: [call("c1", "started"), call("c2", "awaiting-approval"), call("c3", "awaiting-approval")],
      });
      expect(await calls()).toEqual([
        call("c1", "started"),
        call("c2", "awaiting-approval"),
        call("c3", "awaiting-approval"),
      ]);
      await stores().sessions.commit(lease, {
        at: 2,
        messages: [result("2", "c3")],
        unansweredCalls: [call("c2", "started")],
      });
      expect(await calls()).toEqual([call("c1", "started"), call("c2", "started")]);
      await stores().sessions.commit(lease, {
        at: 3,
        messages: [result("3", "c1"), result("4", "c2")],
        unansweredCalls: [call("c4", "started")],
      });
      expect(await calls()).toEqual([call("c4", "started")]);
      await stores().sessions.commit(lease, {
        at: 4,
        messages: [result("5", "c4"), result("6", "c5")],
        unansweredCalls: [call("c5", "started")],
      });
      expect(await calls()).toEqual([]);
    });

    test("continues after the last commit, also with a copy of the lease", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const call = { callId: "c1", tool: "read", state: "started" } as const;
      await stores().sessions.commit(lease, { at: 1, messages: [said("1")], events: [event("ses_1", 1)] });
      await stores().sessions.commit({ ...lease }, { at: 2, messages: [replied("2")], unansweredCalls: [call] });
      await stores().sessions.commit(lease, { at: 3, events: [event("ses_1", 2)], run: running("run_1") });
      await stores().sessions.commit({ ...lease }, { at: 4, events: [event("ses_1", 3)], run: running("run_2") });
      await stores().sessions.commit(lease, {
        at: 5,
        messages: [said("3")],
        events: [event("ses_1", 4)],
        run: running("run_1"),
      });
      expect(await stores().sessions.load("ses_1")).toEqual({
        messages: [said("1"), replied("2"), said("3")],
        unansweredCalls: [call],
        runs: [running("run_1"), running("run_2")],
        lastSeq: 4,
      });
      expect((await stores().events.after("ses_1", 0)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    });

    test("is not interleaved with other commits at the same time", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const pairs = Array.from({ length: 100 }, (_, n) => [said(`${n}a`), said(`${n}b`)]);
      await Promise.all(pairs.map((messages, at) => stores().sessions.commit(lease, { at, messages })));
      expect((await stores().sessions.load("ses_1")).messages).toEqual(pairs.flat());
    });
  });
}
