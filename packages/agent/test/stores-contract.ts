import { initialState } from "@sheepdog/guardian";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentEvent } from "../src/events.ts";
import type { Message, UserMessage } from "../src/messages.ts";
import type { Checkpoint, CostRow, Stores } from "../src/stores/stores.ts";

/** What the suite works on: fresh, empty stores. */
export interface Opened {
  readonly stores: Stores;
  close(): Promise<void>;
}

/** What every implementation of the stores has to keep, as tests. */
export function storesContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name} stores`, () => {
    let opened: Opened;
    let stores: Stores;
    beforeEach(async () => {
      opened = await open();
      stores = opened.stores;
    });
    afterEach(() => opened.close());

    describe("history", () => {
      test("a session that was never written is empty", async () => {
        expect(await stores.history.load("ses_none")).toEqual([]);
      });

      test("messages come back whole and in the order they were appended", async () => {
        await stores.history.append("ses_1", [said("1"), replied("2")]);
        await stores.history.append("ses_1", []);
        await stores.history.append("ses_1", [result("3")]);
        expect(await stores.history.load("ses_1")).toEqual([said("1"), replied("2"), result("3")]);
      });

      test("sessions know nothing of each other, however odd their ids are", async () => {
        for (const id of oddIds) await stores.history.append(id, [said(`in ${id}`)]);
        for (const id of oddIds) expect(await stores.history.load(id)).toEqual([said(`in ${id}`)]);
      });

      test("odd text comes back as it was", async () => {
        const texts = [
          "",
          "\u0000",
          "a\u0000b",
          "\r\n\u2028",
          "👩‍👩‍👧",
          "\ufeffx",
          "'; DROP TABLE messages; --",
          '{"__proto__":{"x":1}}',
          "\u001b[2J",
          "x".repeat(1_000_000),
        ];
        await stores.history.append(
          "ses_1",
          texts.map((text) => said("m", text)),
        );
        expect((await stores.history.load("ses_1")).map((message) => (message as UserMessage).text)).toEqual(texts);
      });

      test("an append writes all of its messages or none", async () => {
        await stores.history.append("ses_1", [said("1")]);
        const cyclic: Record<string, unknown> = {};
        cyclic["self"] = cyclic;
        const broken: Message = { ...replied("3"), parts: [{ type: "call", id: "c", tool: "t", input: cyclic }] };
        await expect(stores.history.append("ses_1", [said("2"), broken])).rejects.toThrow();
        expect(await stores.history.load("ses_1")).toEqual([said("1")]);
      });

      test("appends at the same time are all kept, none torn apart by another", async () => {
        const pairs = Array.from({ length: 100 }, (_, n) => [said(`${n}a`), said(`${n}b`)]);
        await Promise.all(pairs.map((pair) => stores.history.append("ses_1", pair)));
        const ids = (await stores.history.load("ses_1")).map(({ id }) => id);
        expect(ids).toHaveLength(200);
        for (const [n] of pairs.entries()) expect(ids[ids.indexOf(`${n}a`) + 1]).toBe(`${n}b`);
      });

      test("what was given and what is got are copies", async () => {
        const message = { ...said("1") };
        const given: Message[] = [message];
        await stores.history.append("ses_1", given);
        Object.assign(message, { text: "changed" });
        given.push(said("2"));
        const got = (await stores.history.load("ses_1")) as Message[];
        Object.assign(got[0] ?? {}, { text: "changed too" });
        got.pop();
        expect(await stores.history.load("ses_1")).toEqual([said("1")]);
      });

      test("ten thousand messages, appended one by one, are there in order", async () => {
        for (let n = 0; n < 10_000; n += 1) await stores.history.append("ses_1", [said(String(n))]);
        const ids = (await stores.history.load("ses_1")).map(({ id }) => id);
        expect(ids).toEqual(Array.from({ length: 10_000 }, (_, n) => String(n)));
      }, 120_000);
    });

    describe("checkpoints", () => {
      test("there is none before one is saved, and only the newest after", async () => {
        expect(await stores.checkpoints.load("ses_1")).toBeUndefined();
        await stores.checkpoints.save("ses_1", checkpoint(1));
        await stores.checkpoints.save("ses_1", checkpoint(2));
        expect(await stores.checkpoints.load("ses_1")).toEqual(checkpoint(2));
        expect(await stores.checkpoints.load("ses_2")).toBeUndefined();
      });

      test("each session has its own, however odd its id is", async () => {
        for (const [turn, id] of oddIds.entries()) await stores.checkpoints.save(id, checkpoint(turn));
        for (const [turn, id] of oddIds.entries()) expect(await stores.checkpoints.load(id)).toEqual(checkpoint(turn));
      });

      test("an unknown price stays unknown, and what is got is a copy", async () => {
        await stores.checkpoints.save("ses_1", { ...checkpoint(1), costNanoUsd: null });
        const got = await stores.checkpoints.load("ses_1");
        expect(got?.costNanoUsd).toBeNull();
        Object.assign(got ?? {}, { turn: 99 });
        expect((await stores.checkpoints.load("ses_1"))?.turn).toBe(1);
      });
    });

    describe("costs", () => {
      const noon = Date.UTC(2026, 2, 15, 12);

      test("nothing spent is zero, with the names of the day and the month", async () => {
        expect(await stores.costs.totals("ses_1", noon)).toEqual({ session: 0, day: 0, month: 0, dayName: "2026-03-15", monthName: "2026-03" });
      });

      test("a session counts its own, a day and a month those of all sessions", async () => {
        await stores.costs.record(cost("ses_1", noon, 5));
        await stores.costs.record(cost("ses_2", noon, 7));
        await stores.costs.record(cost("ses_1", noon - 24 * hour, 100));
        await stores.costs.record(cost("ses_1", Date.UTC(2026, 1, 1), 1_000));
        expect(await stores.costs.totals("ses_1", noon)).toMatchObject({ session: 1_105, day: 12, month: 112 });
        expect(await stores.costs.totals("ses_2", noon)).toMatchObject({ session: 7, day: 12, month: 112 });
      });

      test("the last millisecond of a year and the first of the next belong to different months, in UTC", async () => {
        const midnight = Date.UTC(2027, 0, 1);
        await stores.costs.record(cost("ses_1", midnight - 1, 1));
        await stores.costs.record(cost("ses_1", midnight, 10));
        expect(await stores.costs.totals("ses_1", midnight - 1)).toEqual({ session: 11, day: 1, month: 1, dayName: "2026-12-31", monthName: "2026-12" });
        expect(await stores.costs.totals("ses_1", midnight)).toEqual({ session: 11, day: 10, month: 10, dayName: "2027-01-01", monthName: "2027-01" });
      });

      test("a clock that goes back finds the books of the earlier month as they were", async () => {
        await stores.costs.record(cost("ses_1", noon, 5));
        await stores.costs.record(cost("ses_1", Date.UTC(2026, 3, 1), 7));
        expect(await stores.costs.totals("ses_1", noon)).toMatchObject({ month: 5, monthName: "2026-03" });
      });

      test("one request without a price makes the totals it belongs to unknown, and no others", async () => {
        await stores.costs.record(cost("ses_1", noon, 5));
        await stores.costs.record(cost("ses_1", noon - 24 * hour, null));
        await stores.costs.record(cost("ses_1", noon, 6));
        expect(await stores.costs.totals("ses_1", noon)).toMatchObject({ session: null, day: 11, month: null });
        expect(await stores.costs.totals("ses_2", Date.UTC(2026, 3, 1))).toMatchObject({ session: 0, day: 0, month: 0 });
      });

      test("large sums are exact", async () => {
        const much = 4_503_599_627_370_495; // half of the largest safe integer
        await stores.costs.record(cost("ses_1", noon, much));
        await stores.costs.record(cost("ses_1", noon, much));
        expect((await stores.costs.totals("ses_1", noon)).session).toBe(2 * much);
      });

      test("requests booked at the same time are all counted", async () => {
        await Promise.all(Array.from({ length: 200 }, () => stores.costs.record(cost("ses_1", noon, 1))));
        expect((await stores.costs.totals("ses_1", noon)).month).toBe(200);
      });

      test("a cost that is no whole number is refused", async () => {
        for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY])
          await expect(stores.costs.record(cost("ses_1", noon, wrong))).rejects.toThrow(/nano-dollars/);
        expect((await stores.costs.totals("ses_1", noon)).session).toBe(0);
      });
    });

    describe("events", () => {
      test("those after a number come in order, of that session only", async () => {
        await stores.events.append([event("ses_1", 1), event("ses_1", 2), event("ses_2", 1)]);
        await stores.events.append([event("ses_1", 3)]);
        expect(await stores.events.after("ses_1", 1)).toEqual([event("ses_1", 2), event("ses_1", 3)]);
        expect(await stores.events.after("ses_1", 3)).toEqual([]);
        expect(await stores.events.after("ses_2", 0)).toEqual([event("ses_2", 1)]);
        expect(await stores.events.after("ses_none", 0)).toEqual([]);
      });

      test("an event that is appended again is there once", async () => {
        await stores.events.append([event("ses_1", 1), event("ses_1", 2)]);
        await stores.events.append([event("ses_1", 2), event("ses_1", 3)]);
        expect((await stores.events.after("ses_1", 0)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      });

      test("they are sorted by number however they came", async () => {
        await stores.events.append([event("ses_1", 10), event("ses_1", 9)]);
        await stores.events.append([event("ses_1", 2)]);
        expect((await stores.events.after("ses_1", 0)).map(({ seq }) => seq)).toEqual([2, 9, 10]);
      });
    });

    describe("memory", () => {
      const write = (text: string, at = 0, tags: readonly string[] = []) => stores.memory.write({ at, text, tags });
      const texts = async (query: string, limit = 10) => (await stores.memory.search(query, limit)).map(({ text }) => text);

      test("a fact comes back with an id of its own, its time and its tags", async () => {
        const one = await write("The deploy key is kept in the vault", 7, ["deploy", "ops"]);
        const other = await write("Another fact");
        expect(one).toMatchObject({ at: 7, text: "The deploy key is kept in the vault", tags: ["deploy", "ops"] });
        expect(one.id).not.toBe(other.id);
        expect(await stores.memory.search("vault", 1)).toEqual([one]);
      });

      test("facts with more of the words come first, and those with none do not come", async () => {
        await write("tests run with vitest");
        await write("the database is sqlite");
        await write("database tests run with sqlite in memory");
        expect(await texts("sqlite database tests memory")).toEqual([
          "database tests run with sqlite in memory",
          "the database is sqlite",
          "tests run with vitest",
        ]);
        expect(await texts("kubernetes")).toEqual([]);
      });

      test("case does not matter, tags are words too, and the limit holds", async () => {
        await write("Grüße aus KÖLN", 1);
        await write("one", 2, ["Release"]);
        for (let n = 0; n < 20; n += 1) await write(`release note ${n}`, 3);
        expect(await texts("köln")).toEqual(["Grüße aus KÖLN"]);
        expect(await texts("release", 5)).toHaveLength(5);
        expect(await texts("release", 100)).toHaveLength(21);
        expect(await texts("release", 0)).toEqual([]);
      });

      test("a query in any notation is only words", async () => {
        await write("plain fact");
        for (const query of ["", "   ", '"', "fact OR", "NEAR(", "fact*", "-fact", "text:fact", "'; --", "(", "\u0000", "%", "^fact", "fact AND NOT"]) {
          const found = await texts(query);
          expect(found, query).toEqual(/fact/.test(query) ? ["plain fact"] : []);
        }
      });
    });
  });
}

const hour = 3_600_000;
const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, isEstimated: false };
const oddIds = ["ses_1", "SES_1", "../x", "a/b", "'; DROP TABLE sessions; --", "", " ", "ü", "日本", "%", "_", "__proto__", "constructor", "x".repeat(4_096)];

function said(id: string, text = `text of ${id}`): UserMessage {
  return { role: "user", id, at: 1, origin: "person", text };
}

function replied(id: string): Extract<Message, { role: "assistant" }> {
  const parts = [
    { type: "thinking", text: "hm", providerMetadata: { signature: "s" } },
    { type: "text", text: "so" },
    { type: "call", id: "c1", tool: "read", input: { path: "a", deep: [{ n: 1.5, none: null, yes: true }] } },
  ] as const;
  return { role: "assistant", id, at: 2, parts, stop: "calls", model: "m", usage };
}

function result(id: string): Message {
  return { role: "tool", id, at: 3, callId: "c1", tool: "read", status: "ok", content: "text" };
}

function checkpoint(turn: number): Checkpoint {
  return {
    runId: "run_1",
    turn,
    guardian: initialState("plain"),
    total: usage,
    costNanoUsd: turn * 10,
  };
}

function cost(sessionId: string, at: number, costNanoUsd: number | null): CostRow {
  return { sessionId, runId: "run_1", model: "m", at, usage, costNanoUsd };
}

function event(sessionId: string, seq: number): AgentEvent {
  return { type: "TurnStarted", turn: seq, seq, at: 1, sessionId, runId: "run_1", severity: "debug" };
}
