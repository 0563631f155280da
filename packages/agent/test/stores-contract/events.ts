import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/protocol/events.ts";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";
import { claimLease, event } from "./samples.ts";

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
}
