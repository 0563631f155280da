import { describe, expect, test } from "vitest";
import type { Message, UserMessage } from "../../src/protocol/messages.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import {
  checkpoint,
  claimLease,
  cost,
  event,
  holder,
  noon,
  oddIds,
  replied,
  result,
  running,
  said,
} from "./samples.ts";

export function sessionsContract(open: () => Promise<OpenedStores>): void {
  describe("sessions", () => {
    const stores = freshStores(open);
    const load = (sessionId = "ses_1") => stores().sessions.load(sessionId);

    test("a session that was never written is empty", async () => {
      const empty = { messages: [], unansweredCalls: [], runs: [], lastSeq: 0 };
      expect(await load("ses_none")).toEqual(empty);
      await claimLease(stores(), "ses_1");
      expect(await load()).toEqual(empty);
      expect(await stores().sessions.list()).toEqual([]);
    });

    test("runs are found by the start of their id, also earlier ones of a session", async () => {
      const write = async (sessionId: string, ...runIds: readonly string[]) => {
        const lease = await claimLease(stores(), sessionId);
        for (const runId of runIds) await stores().sessions.commit(lease, { at: 1, run: running(runId) });
        await stores().sessions.release(lease);
      };
      await write("ses_1", "run_b2", "run_a1", "run_b2");
      await write("ses_2", "run_b1");
      await write("ses_3", "run_%", "run_😀");
      const find = (start: string, limit = 10) => stores().sessions.findRuns(start, limit);
      expect(await find("run_b")).toEqual([
        { sessionId: "ses_2", runId: "run_b1" },
        { sessionId: "ses_1", runId: "run_b2" },
      ]);
      expect(await find("run_b", 1)).toEqual([{ sessionId: "ses_2", runId: "run_b1" }]);
      expect(await find("run_a1")).toEqual([{ sessionId: "ses_1", runId: "run_a1" }]);
      expect(await find("run_%")).toEqual([{ sessionId: "ses_3", runId: "run_%" }]);
      expect(await find("run_😀")).toEqual([{ sessionId: "ses_3", runId: "run_😀" }]);
      expect((await find("")).length).toBe(5);
      expect(await find("run_c")).toEqual([]);
      expect(await find("run_", 0)).toEqual([]);
      await stores().sessions.remove("ses_1", 2);
      expect(await find("run_b")).toEqual([{ sessionId: "ses_2", runId: "run_b1" }]);
    });

    test("messages come back complete and in the order in which they were written", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.commit(lease, { at: 1, messages: [said("1"), replied("2")] });
      await stores().sessions.commit(lease, { at: 2 });
      await stores().sessions.commit(lease, { at: 3, messages: [result("3")] });
      expect((await load()).messages).toEqual([said("1"), replied("2"), result("3")]);
      expect((await stores().sessions.load("ses_1", 2)).messages).toEqual([result("3")]);
      expect((await stores().sessions.load("ses_1", 3)).messages).toEqual([]);
      expect((await stores().sessions.load("ses_1", 9)).messages).toEqual([]);
    });

    test("sessions do not affect each other, however odd their ids are", async () => {
      for (const [turn, id] of oddIds.entries()) {
        const messages = [said(`in ${id}`)];
        const run = running(`run_${turn}`);
        await stores().sessions.commit(await claimLease(stores(), id), {
          at: turn,
          messages,
          checkpoint: checkpoint(turn),
          run,
          events: [event(id, turn + 1)],
        });
      }
      for (const [turn, id] of oddIds.entries())
        expect(await load(id)).toEqual({
          messages: [said(`in ${id}`)],
          checkpoint: checkpoint(turn),
          unansweredCalls: [],
          runs: [running(`run_${turn}`)],
          lastSeq: turn + 1,
        });
      expect((await stores().sessions.list()).map(({ sessionId }) => sessionId)).toEqual(oddIds.toReversed());
    });

    test("names that a database cannot store unchanged are refused, also in the cost ledger", async () => {
      for (const name of ["a\ud800", "\udc00", "n\0x", "\0"]) {
        const refused = /Expected the .* to be well-formed text without NUL, got "/;
        await expect(stores().sessions.claim(name, holder("proc_1"), 0)).rejects.toThrow(refused);
        const lease = await claimLease(stores(), "ses_1");
        await expect(stores().sessions.commit(lease, { at: 1, run: running(name) })).rejects.toThrow(refused);
        for (const wrong of [{ sessionId: name }, { id: name }, { runId: name }, { model: name }]) {
          const row = { ...cost("ses_1", noon, 5), ...wrong };
          await expect(stores().costs.reserve(row, {})).rejects.toThrow(refused);
          await expect(stores().sessions.commit(lease, { at: 1, costs: [row] })).rejects.toThrow(refused);
        }
      }
      expect([await stores().sessions.list(), await stores().costs.sums("model")]).toEqual([[], []]);
    });

    test("odd text comes back unchanged", async () => {
      const odd = [
        "",
        "\u0000",
        "a\u0000b",
        "\r\n\u2028",
        "👩‍👩‍👧",
        "\ud800",
        "\ufeffx",
        "'; DROP TABLE messages; --",
        '{"__proto__":{"x":1}}',
        "\u001b[2J",
      ];
      const texts = [...odd, "x".repeat(1_000_000)];
      await stores().sessions.commit(await claimLease(stores(), "ses_1"), {
        at: 1,
        messages: texts.map((text) => said("m", text)),
      });
      expect((await load()).messages.map((message) => (message as UserMessage).text)).toEqual(texts);
    });

    test("changing a written or a loaded value does not change the stored one", async () => {
      const message = { ...said("1") };
      const messages: Message[] = [message];
      const saved = { ...checkpoint(1) };
      const run = { ...running("run_1") };
      await stores().sessions.commit(await claimLease(stores(), "ses_1"), {
        at: 1,
        messages,
        checkpoint: saved,
        run,
      });
      Object.assign(message, { text: "changed" });
      Object.assign(saved, { turn: 99 });
      Object.assign(run, { turns: 99 });
      messages.push(said("2"));
      const loaded = await load();
      Object.assign(loaded.messages[0] ?? {}, { text: "changed too" });
      Object.assign(loaded.checkpoint?.guardian ?? {}, { turn: 99 });
      Object.assign(loaded.runs[0]?.usage ?? {}, { input: 99 });
      expect(await load()).toEqual({
        messages: [said("1")],
        checkpoint: checkpoint(1),
        unansweredCalls: [],
        runs: [running("run_1")],
        lastSeq: 0,
      });
    });

    test("only the newest checkpoint is stored, and an unknown price in it stays unknown", async () => {
      const lease = await claimLease(stores(), "ses_1");
      await stores().sessions.commit(lease, { at: 1, checkpoint: checkpoint(1) });
      await stores().sessions.commit(lease, { at: 2, checkpoint: { ...checkpoint(2), costNanoUsd: null } });
      await stores().sessions.commit(lease, { at: 3, messages: [said("1")] });
      expect((await load()).checkpoint).toEqual({ ...checkpoint(2), costNanoUsd: null });
    });

    test("a run has its last committed state, and runs are in the order in which they began", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const done = {
        ...running("run_1", 7),
        endedAt: 9,
        state: "completed",
        reason: "answered",
        text: "so",
        costNanoUsd: 12,
      } as const;
      await stores().sessions.commit(lease, { at: 1, run: running("run_1") });
      await stores().sessions.commit(lease, { at: 2, run: running("run_1", 3) });
      await stores().sessions.commit(lease, { at: 3, run: running("run_2") });
      await stores().sessions.commit(lease, { at: 4, run: done });
      await stores().sessions.commit(lease, { at: 5, run: running("run_2", 1) });
      await stores().sessions.commit(lease, { at: 6, run: running("run_3") });
      expect((await load()).runs).toEqual([done, running("run_2", 1), running("run_3")]);
    });

    test("the list begins with the session that was written last", async () => {
      const [one, other] = [await claimLease(stores(), "ses_1"), await claimLease(stores(), "ses_2")];
      await stores().sessions.commit(one, { at: 1, messages: [said("1"), said("2")], run: running("run_1") });
      await stores().sessions.commit(other, { at: 2 });
      await stores().sessions.commit(one, { at: 3, messages: [said("3")], run: running("run_2") });
      await stores().sessions.release(other);
      expect(await stores().sessions.list()).toEqual([
        {
          sessionId: "ses_1",
          createdAt: 1,
          updatedAt: 3,
          messages: 3,
          lastRun: running("run_2"),
          holder: holder("proc_1"),
          renewedAt: 3,
        },
        { sessionId: "ses_2", createdAt: 2, updatedAt: 2, messages: 0 },
      ]);
    });

    test("a removed session is empty, and the cost ledger keeps its rows", async () => {
      const [other, lease] = [await claimLease(stores(), "ses_2"), await claimLease(stores(), "ses_1")];
      const unansweredCalls = [{ callId: "c1", tool: "read", state: "started" }] as const;
      const all = {
        at: 1,
        messages: [said("1")],
        unansweredCalls,
        checkpoint: checkpoint(1),
        run: running("run_1"),
        events: [event("ses_1", 1), event("ses_1", 2)],
      };
      await stores().sessions.commit(lease, { ...all, costs: [cost("ses_1", noon, 7, "req")] });
      await stores().sessions.commit(other, { at: 2, messages: [said("2")], events: [event("ses_2", 1)] });
      await expect(stores().sessions.remove("ses_1", 2)).rejects.toThrow(/process 4711/);
      expect((await load()).messages).toHaveLength(1);
      await stores().sessions.release(lease);
      await stores().sessions.remove("ses_1", 2);
      await stores().sessions.remove("ses_none", 2);
      expect(await load()).toEqual({ messages: [], unansweredCalls: [], runs: [], lastSeq: 0 });
      expect(await stores().events.after("ses_1", 0)).toEqual([]);
      expect((await stores().sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["ses_2"]);
      expect((await load("ses_2")).messages).toEqual([said("2")]);
      expect(await stores().costs.rows("ses_1")).toEqual([{ ...cost("ses_1", noon, 7, "req"), state: "settled" }]);
      const again = await claimLease(stores(), "ses_1");
      expect(again.fence).toBeGreaterThan(lease.fence);
      await stores().sessions.commit(again, { at: 3, messages: [said("3")], events: [event("ses_1", 1, 99)] });
      expect(await load()).toEqual({ messages: [said("3")], unansweredCalls: [], runs: [], lastSeq: 1 });
      expect(await stores().events.after("ses_1", 0)).toEqual([event("ses_1", 1, 99)]);
    });

    test("a session whose lease has expired can be removed", async () => {
      const lease = await claimLease(stores(), "ses_1", 0);
      await stores().sessions.commit(lease, { at: 0, messages: [said("1")] });
      await stores().sessions.remove("ses_1", 60_000);
      expect((await load()).messages).toEqual([]);
      await expect(stores().sessions.commit(lease, { at: 1, messages: [said("2")] })).rejects.toMatchObject({
        name: "LeaseLostError",
      });
    });

    test("two thousand commits are stored in order", async () => {
      const lease = await claimLease(stores(), "ses_1");
      for (let n = 1; n <= 2_000; n += 1)
        await stores().sessions.commit(lease, { at: n, messages: [said(String(n))], events: [event("ses_1", n)] });
      const ids = (await load()).messages.map(({ id }) => Number(id));
      expect(ids).toEqual(Array.from({ length: 2_000 }, (_, n) => n + 1));
      expect((await stores().events.after("ses_1", 1_990)).map(({ seq }) => seq)).toEqual(ids.slice(1_990));
    }, 120_000);
  });
}
