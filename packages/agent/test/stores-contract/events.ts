import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/events.ts";
import type { EventBatch } from "../../src/stores/stores.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { broken, claimLease, event } from "./samples.ts";

export function eventsContract(open: () => Promise<OpenedStores>): void {
  describe("events", () => {
    const stores = freshStores(open);
    const createWriter = async (sessionId = "ses_1") => {
      const lease = await claimLease(stores(), sessionId);
      return (...events: readonly AgentEvent[]) => stores().sessions.commit(lease, { at: 1, events });
    };
    const numbers = async (after = 0) => (await stores().events.after("ses_1", after)).map(({ seq }) => seq);

    test("events after a number come in order, of one session only", async () => {
      const [write, writeOther] = [await createWriter(), await createWriter("ses_2")];
      await write(event("ses_1", 1), event("ses_1", 2));
      await writeOther(event("ses_2", 1));
      await write(event("ses_1", 3), event("ses_1", 5));
      expect(await stores().events.after("ses_1", 1)).toEqual([
        event("ses_1", 2),
        event("ses_1", 3),
        event("ses_1", 5),
      ]);
      expect(await numbers(4)).toEqual([5]);
      expect(await numbers(5)).toEqual([]);
      expect(await numbers(1_000_000_000_000)).toEqual([]);
      expect(await numbers(-1)).toEqual([1, 2, 3, 5]);
      expect(await stores().events.after("ses_2", 0)).toEqual([event("ses_2", 1)]);
      expect(await stores().events.after("ses_none", 0)).toEqual([]);
      expect((await stores().sessions.load("ses_1")).lastSeq).toBe(5);
    });

    test("a limit gives the first events, and a reader of pages gets each once", async () => {
      const write = await createWriter();
      await write(event("ses_1", 1), event("ses_1", 2), event("ses_1", 3));
      await write(event("ses_1", 5));
      await write(event("ses_1", 6), event("ses_1", 7));
      const page = async (after: number, limit: number) =>
        (await stores().events.after("ses_1", after, limit)).map(({ seq }) => seq);
      expect(await page(0, 2)).toEqual([1, 2]);
      expect(await page(2, 2)).toEqual([3, 5]);
      expect(await page(5, 2)).toEqual([6, 7]);
      expect(await page(7, 2)).toEqual([]);
      expect(await page(0, 100)).toEqual([1, 2, 3, 5, 6, 7]);
      expect(await page(0, 0)).toEqual([]);
    });

    test("an event that is written again stays as it was written first", async () => {
      const write = await createWriter();
      await write(event("ses_1", 1), event("ses_1", 2), event("ses_1", 2, 99));
      await write(event("ses_1", 2, 99), event("ses_1", 3));
      await write(event("ses_1", 1, 99));
      expect(await stores().events.after("ses_1", 0)).toEqual([
        event("ses_1", 1),
        event("ses_1", 2),
        event("ses_1", 3),
      ]);
    });

    test("events are sorted by number, whatever their order of arrival", async () => {
      const write = await createWriter();
      await write(event("ses_1", 10), event("ses_1", 7));
      await write(event("ses_1", 2));
      expect((await stores().sessions.load("ses_1")).lastSeq).toBe(10);
      await write(event("ses_1", 9), event("ses_1", 11));
      expect(await numbers()).toEqual([2, 7, 9, 10, 11]);
      expect(await numbers(9)).toEqual([10, 11]);
      expect((await stores().sessions.load("ses_1")).lastSeq).toBe(11);
    });
  });

  describe("batches of events", () => {
    const stores = freshStores(open);
    const write = async (sessionId: string, ...events: readonly AgentEvent[]) => {
      const lease = await claimLease(stores(), sessionId);
      await stores().sessions.commit(lease, { at: 1, events });
      await stores().sessions.release(lease);
    };
    /** Session and sequence numbers of each batch. */
    const outline = (batches: readonly EventBatch[]) =>
      batches.map(({ sessionId, events }) => [sessionId, ...events.map(({ seq }) => seq)]);
    const after = async (position: number, limit = 100) => stores().events.batchesAfter(position, limit);
    const before = async (position: number, limit = 100) => stores().events.batchesBefore(position, limit);

    test("the events of all sessions have one order: that in which they were written", async () => {
      await write("ses_2", event("ses_2", 1), event("ses_2", 2));
      await write("ses_1", event("ses_1", 1));
      await write("ses_2", event("ses_2", 3));
      await write("ses_3"); // no events, no batch
      const batches = await after(0);
      expect(outline(batches)).toEqual([
        ["ses_2", 1, 2],
        ["ses_1", 1],
        ["ses_2", 3],
      ]);
      expect(batches[1]?.events).toEqual([event("ses_1", 1)]);
      const positions = batches.map(({ position }) => position);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      expect(new Set(positions).size).toBe(3);
      expect(await stores().events.lastPosition()).toBe(positions[2]);
    });

    test("a reader continues after a position, and goes back before one", async () => {
      for (const seq of [1, 2, 3, 4, 5]) await write("ses_1", event("ses_1", seq));
      const all = await after(0);
      const third = all[2]?.position ?? 0;
      expect(await after(third)).toEqual(all.slice(3));
      expect(await after(third, 1)).toEqual(all.slice(3, 4));
      expect(await after(0, 2)).toEqual(all.slice(0, 2));
      expect(await before(third)).toEqual([all[1], all[0]]);
      expect(await before(third, 1)).toEqual([all[1]]);
      expect(await before(Number.MAX_SAFE_INTEGER, 2)).toEqual([all[4], all[3]]);
      expect(await after(await stores().events.lastPosition())).toEqual([]);
      expect(await Promise.all([after(0, 0), after(0, -1), before(0), before(third, -5)])).toEqual([[], [], [], []]);
    });

    test("without events there is no position", async () => {
      expect([await stores().events.lastPosition(), await after(0), await before(9)]).toEqual([0, [], []]);
    });

    test("an event that is written again is in its first batch only", async () => {
      await write("ses_1", event("ses_1", 7), event("ses_1", 4));
      await write("ses_1", event("ses_1", 7, 99));
      await write("ses_1", event("ses_1", 2), event("ses_1", 4, 99), event("ses_1", 9));
      expect(outline(await after(0))).toEqual([
        ["ses_1", 4, 7],
        ["ses_1", 2, 9],
      ]);
    });

    test("a removed session takes its batches with it, and its positions are not given out again", async () => {
      await write("ses_1", event("ses_1", 1));
      await write("ses_2", event("ses_2", 1));
      const last = await stores().events.lastPosition();
      await stores().sessions.remove("ses_2", 2);
      expect(outline(await after(0))).toEqual([["ses_1", 1]]);
      expect(await stores().events.lastPosition()).toBeLessThan(last);
      await write("ses_2", event("ses_2", 1));
      expect(outline(await after(last))).toEqual([["ses_2", 1]]);
    });

    test("a commit that fails has no batch", async () => {
      const lease = await claimLease(stores(), "ses_1");
      const commit = stores().sessions.commit(lease, { at: 1, events: [event("ses_1", 1)], messages: [broken("m1")] });
      await expect(commit).rejects.toThrow();
      expect(await after(0)).toEqual([]);
    });
  });
}
