import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import { createEventBus, type EventBus, type EventBusOptions } from "./event-bus.ts";

const run = { sessionId: "ses_1", runId: "run_1" };
const turn = (n: number): AgentEventBody => ({ type: "TurnStarted", turn: n });
const text = (piece: string): AgentEventBody => ({ type: "TextDelta", text: piece });
const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };
const complete: AgentEventBody = {
  type: "RunComplete",
  result: {
    ...run,
    state: "completed",
    reason: "answered",
    exitCode: 0,
    text: "done",
    turns: 1,
    usage,
    costNanoUsd: 0,
    interventions: [],
  },
};
const recovered: AgentEventBody = { type: "GuardianRecovered", episode: "e1" };
/** A bus, and the errors of its listeners. */
const busWith = (options: Omit<Partial<EventBusOptions>, "now"> = {}) => {
  const errors: unknown[] = [];
  return { bus: createEventBus({ now: () => 5, onListenerError: (error) => errors.push(error), ...options }), errors };
};
const received = (bus: EventBus) => {
  const events: AgentEvent[] = [];
  bus.subscribe((event) => void events.push(event));
  return events;
};
const take = async (from: AsyncIterable<AgentEvent>, count: number) => {
  const events: (AgentEvent & { readonly dropped?: number })[] = [];
  for await (const event of from) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
};

describe("an event", () => {
  test("has its number within the session, time, run and severity", () => {
    const { bus } = busWith();
    const events = received(bus);
    bus.emit(run, { type: "RunStarted", prompt: "go" });
    bus.emit({ sessionId: "ses_2", runId: "run_2" }, turn(1));
    bus.emit(run, turn(1));
    expect(events).toEqual([
      { type: "RunStarted", prompt: "go", seq: 1, at: 5, ...run, severity: "info" },
      { type: "TurnStarted", turn: 1, seq: 1, at: 5, sessionId: "ses_2", runId: "run_2", severity: "debug" },
      { type: "TurnStarted", turn: 1, seq: 2, at: 5, ...run, severity: "debug" },
    ]);
  });

  test("has no part of a secret value that arrives in several deltas", () => {
    const { bus } = busWith({ secrets: ["correct horse battery"] });
    const events = received(bus);
    for (const piece of ["say correct ", "horse ", "battery ", "now "]) bus.emit(run, text(piece));
    expect(events.map((event) => "text" in event && event.text)).toEqual(["say ", "… ", "now "]);
  });

  test("continues the numbering of another process in a resumed session", () => {
    const { bus } = busWith();
    const events = received(bus);
    bus.resume("ses_1", 41);
    bus.resume("ses_1", 3);
    bus.emit(run, turn(1));
    expect(events.map(({ seq }) => seq)).toEqual([42]);
  });

  test("cannot be changed by a listener for the next one", () => {
    const { bus, errors } = busWith();
    const input = { path: "a.ts", list: [1] };
    bus.subscribe((event) => {
      (event as { input: { path: string } }).input.path = "changed"; // as a careless listener would
    });
    const events = received(bus);
    bus.emit(run, { type: "ToolStart", callId: "c1", tool: "read", input });
    input.path = "changed later";
    expect(events[0]).toMatchObject({ input: { path: "a.ts", list: [1] } });
    expect(errors).toHaveLength(1);
  });
});

describe("secrets", () => {
  const canary = "sk-canary-9f8e7d6c5b4a39281706";

  test("no listener receives a secret, in whichever field it is", async () => {
    const { bus } = busWith();
    const events = received(bus);
    const stream = bus.stream({ sessionId: "ses_1" });
    bus.emit(run, { type: "RunStarted", prompt: `use ${canary}` });
    bus.emit(run, {
      type: "ToolStart",
      callId: "c1",
      tool: "bash",
      input: { command: `curl -H "x-api-key: ${canary}"`, nested: [{ deep: canary }], [canary]: 1 },
    });
    bus.emit(run, {
      type: "ToolEnd",
      callId: "c1",
      tool: "bash",
      status: "ok",
      content: `Authorization: Basic ${canary}`,
      ms: 1,
      details: new Error(canary),
    });
    bus.emit(run, { type: "StreamEnd", isComplete: false, problem: `https://user:${canary}@host/` });
    bus.emit(run, {
      ...complete,
      type: "RunError",
      result: { ...(complete as { result: object }).result, text: canary, problem: canary },
    } as AgentEventBody);
    expect(events).toHaveLength(5);
    expect(JSON.stringify(events)).not.toContain("canary");
    expect(JSON.stringify(await take(stream, 5))).not.toContain("canary");
  });

  test("any value of a field with a name like password is redacted", () => {
    const { bus } = busWith();
    const events = received(bus);
    bus.emit(run, {
      type: "ToolStart",
      callId: "c1",
      tool: "login",
      input: { password: "hunter2", api_key: "x1", user: "ann", maxTokens: 5 },
    });
    expect(events[0]).toMatchObject({ input: { password: "…", api_key: "…", user: "ann", maxTokens: 5 } });
  });

  test.each([1, 2, 3, 5, 8, 13])("a secret that arrives in pieces of %i characters is recognised", (size) => {
    const { bus } = busWith();
    const events = received(bus);
    const full = `The key is ${canary} and Authorization: Bearer hunter2hunter2 , the password: swordfish9 too. Bye`;
    for (let at = 0; at < full.length; at += size) bus.emit(run, text(full.slice(at, at + size)));
    bus.emit(run, { type: "StreamEnd", isComplete: true });
    const published = events.map((event) => (event.type === "TextDelta" ? event.text : "")).join("");
    expect(published).toBe("The key is … and Authorization: Bearer … , the password: … too. Bye");
    expect(events.at(-1)?.type).toBe("StreamEnd");
  });

  test("text, thinking and tool input are published in their order, and nothing is lost", () => {
    const { bus } = busWith();
    const events = received(bus);
    bus.emit(run, { type: "ThinkingDelta", text: "let me see" });
    bus.emit(run, text("so it is"));
    bus.emit(run, { type: "ToolInputDelta", callId: "a", text: '{"x":1}' });
    bus.emit(run, { type: "ToolInputDelta", callId: "b", text: '{"y":1}' });
    bus.emit(run, turn(2));
    const published = events.map((event) => ("text" in event ? event.text : event.type)).join("|");
    expect(published).toBe('let me |see|so it |is|{"x":1}|{"y":1}|TurnStarted');
  });

  test("values that are not JSON become plain data", () => {
    const { bus } = busWith();
    const events = received(bus);
    const cyclic: Record<string, unknown> = { big: 10n, when: new Date(0), f: () => 1 };
    cyclic["self"] = cyclic;
    Object.defineProperty(cyclic, "bad", { enumerable: false, value: 1 });
    const throwing = {
      get now(): string {
        throw new Error("no");
      },
    };
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`) as unknown;
    bus.emit(run, {
      type: "ToolStart",
      callId: "c",
      tool: "t",
      input: { cyclic, throwing, deep, proto: JSON.parse('{"__proto__":{"x":1}}') },
    });
    expect(events[0]).toMatchObject({
      input: { cyclic: { big: "10", when: "1970-01-01T00:00:00.000Z", self: "[circular]" }, throwing: "[unreadable]" },
    });
    expect(JSON.stringify(events[0])).toContain("[too deep]");
    expect(({} as { x?: number }).x).toBeUndefined();
    expect(JSON.stringify(events[0])).toContain('"proto":{"__proto__":{"x":1}}');
  });

  test("a value that occurs twice is not a cycle", () => {
    const { bus } = busWith();
    const events = received(bus);
    const shared = { list: [1] };
    bus.emit(run, {
      type: "ToolStart",
      callId: "c",
      tool: "t",
      input: { one: shared, other: [shared, shared.list] },
    });
    expect(events[0]).toMatchObject({ input: { one: { list: [1] }, other: [{ list: [1] }, [1]] } });
  });
});

describe("listeners", () => {
  const rejections: unknown[] = [];
  const onRejection = (error: unknown) => rejections.push(error);
  beforeEach(() => void process.on("unhandledRejection", onRejection));
  afterEach(() => void process.off("unhandledRejection", onRejection));

  test("a listener that throws, rejects or never resolves does not affect the others", async () => {
    const { bus, errors } = busWith();
    bus.subscribe(() => {
      throw new Error("thrown");
    });
    bus.subscribe(async () => {
      throw new Error("rejected");
    });
    bus.subscribe(() => new Promise(() => undefined));
    bus.subscribe(() => ({
      // biome-ignore lint/suspicious/noThenProperty: a thenable is the case under test
      get then(): never {
        throw new Error("thenable");
      },
    }));
    const events = received(bus);
    bus.emit(run, turn(1));
    bus.emit(run, turn(2));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toHaveLength(2);
    // Each listener is reported once.
    expect(errors.map((error) => (error as Error).message).sort()).toEqual(["rejected", "thenable", "thrown"]);
    expect(rejections).toEqual([]);
  });

  test("an error handler that throws does not affect listeners", () => {
    const bus = createEventBus({
      now: () => 0,
      onListenerError: () => {
        throw new Error("worse");
      },
    });
    bus.subscribe(() => {
      throw new Error("bad");
    });
    const events = received(bus);
    bus.emit(run, turn(1));
    expect(events).toHaveLength(1);
  });

  test("an event emitted by a listener is delivered after the current one, to all in the same order", () => {
    const { bus } = busWith();
    bus.subscribe((event) => {
      if (event.type === "RunStarted") bus.emit(run, turn(1));
    });
    const events = received(bus);
    bus.emit(run, { type: "RunStarted", prompt: "" });
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ["RunStarted", 1],
      ["TurnStarted", 2],
    ]);
  });

  test.each([1, 3])(
    "a listener that answers every event with %i others is stopped, and the bus stays usable",
    (answers) => {
      const { bus, errors } = busWith();
      let calls = 0;
      const stop = bus.subscribe(() => {
        calls += 1;
        if (calls < 50_000) for (let n = 0; n < answers; n += 1) bus.emit(run, turn(0));
      });
      bus.emit(run, turn(1));
      expect(errors[0]).toEqual(
        new Error("Listeners answer events with further events without end: TurnStarted was not emitted."),
      );
      stop();
      const events = received(bus);
      bus.emit(run, turn(2));
      expect(events).toHaveLength(1);
    },
  );

  test("a listener that is unsubscribed during a delivery, by itself or another, is not called any more", () => {
    const { bus } = busWith();
    const calls: string[] = [];
    const endSelf = bus.subscribe(() => {
      calls.push("self");
      endSelf();
      endOther();
    });
    const endOther = bus.subscribe(() => calls.push("other"));
    bus.subscribe(() => calls.push("third"));
    bus.emit(run, turn(1));
    bus.emit(run, turn(2));
    expect(calls).toEqual(["self", "third", "third"]);
  });

  test("a listener subscribed during a delivery receives the next event", () => {
    const { bus } = busWith();
    const late: number[] = [];
    const end = bus.subscribe(() => {
      end();
      bus.subscribe((event) => late.push(event.seq));
    });
    bus.emit(run, turn(1));
    bus.emit(run, turn(2));
    expect(late).toEqual([2]);
  });

  test("a hundred thousand listeners are called and unsubscribed", () => {
    const { bus } = busWith();
    let calls = 0;
    const ends = Array.from({ length: 100_000 }, () =>
      bus.subscribe(() => {
        calls += 1;
      }),
    );
    bus.emit(run, turn(1));
    for (const end of ends) end();
    bus.emit(run, turn(2));
    expect(calls).toBe(100_000);
  });

  test("a listener receives only its session, run and types, until its signal is aborted", () => {
    const { bus } = busWith();
    const seen: number[] = [];
    const control = new AbortController();
    bus.subscribe({
      listener: (event) => seen.push(event.seq),
      ...run,
      types: ["TurnStarted"],
      signal: control.signal,
    });
    bus.emit(run, turn(1));
    bus.emit(run, recovered);
    bus.emit({ ...run, runId: "run_2" }, turn(1));
    bus.emit({ ...run, sessionId: "ses_2" }, turn(1));
    bus.emit(run, turn(2));
    control.abort();
    bus.emit(run, turn(3));
    expect(seen).toEqual([1, 4]);
  });
});

test("a secret in an unknown field of a usage is not published", () => {
  const { bus } = busWith();
  const events = received(bus);
  const more = Object.freeze({ ...usage, raw: { headers: "Authorization: Bearer sk-1234567890abcdef" } });
  bus.emit(run, { type: "UsageUpdate", usage: more, total: usage });
  expect(events).toMatchObject([{ usage }]);
  expect(JSON.stringify(events)).not.toContain("sk-1234567890abcdef");
});

describe("prepared events", () => {
  const other = { ...run, runId: "run_2" };
  const seqs = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);

  test("are numbered and redacted, and delivered only when they are published", async () => {
    const { bus } = busWith();
    const events = received(bus);
    const prepared = bus.prepare(run, { type: "RunStarted", prompt: "use sk-canary-9f8e7d6c5b4a39281706" });
    expect(prepared).toEqual([{ type: "RunStarted", prompt: "use …", seq: 1, at: 5, ...run, severity: "info" }]);
    expect(Object.isFrozen(prepared[0])).toBe(true);
    expect(events).toEqual([]);
    const stream = bus.stream({ sessionId: "ses_1" });
    for (const event of prepared) bus.publish(event);
    expect(events).toEqual(prepared);
    expect(await take(stream, 1)).toEqual(prepared);
    expect(await take(bus.stream({ sessionId: "ses_1" }), 1)).toEqual(prepared);
  });

  test("include text that was held back", () => {
    const { bus } = busWith();
    const events = received(bus);
    bus.emit(run, text("so it"));
    expect(bus.prepare(run, text(" is"))).toMatchObject([{ type: "TextDelta", text: "it " }]);
    const prepared = bus.prepare(run, turn(2));
    expect(prepared).toMatchObject([
      { type: "TextDelta", text: "is", seq: 3 },
      { type: "TurnStarted", seq: 4 },
    ]);
    expect(seqs(events)).toEqual([1]);
  });

  test("delay later events of their session, not of other sessions", () => {
    const { bus } = busWith();
    const events = received(bus);
    const [one] = bus.prepare(run, turn(1));
    const [two] = bus.prepare(run, turn(2));
    bus.emit(run, turn(3));
    bus.emit(other, turn(1));
    bus.emit({ sessionId: "ses_2", runId: "run_3" }, turn(9));
    expect(events).toMatchObject([{ sessionId: "ses_2", seq: 1 }]);
    if (two !== undefined) bus.publish(two);
    expect(events).toHaveLength(1);
    if (one !== undefined) bus.publish(one);
    expect(seqs(events)).toEqual([1, 1, 2, 3, 4]);
  });

  test("are published once, and only by the bus that prepared them", () => {
    const { bus } = busWith();
    const events = received(bus);
    const foreign = busWith().bus.prepare(run, turn(7));
    const prepared = bus.prepare(run, turn(1));
    for (const event of [...prepared, ...prepared, ...foreign]) bus.publish(event);
    bus.emit(run, turn(2));
    expect(events.map((event) => event.type === "TurnStarted" && event.turn)).toEqual([1, 2]);
  });

  test("are discarded when their run ends unpublished, and delay no later event", () => {
    const { bus } = busWith();
    const events = received(bus);
    const unpublished = bus.prepare(run, turn(1));
    bus.emit(other, turn(5));
    bus.emit(run, turn(2));
    expect(events).toEqual([]);
    bus.emit(run, complete);
    for (const event of unpublished) bus.publish(event);
    expect(seqs(events)).toEqual([2, 3, 4]);
  });

  test("stay pending when another run of the session ends", () => {
    const { bus } = busWith();
    const events = received(bus);
    const late = bus.prepare(other, turn(1));
    bus.emit(run, complete);
    expect(events).toEqual([]);
    for (const event of late) bus.publish(event);
    expect(seqs(events)).toEqual([1, 2]);
  });

  test("are delivered before the answer of a listener", () => {
    const { bus } = busWith();
    bus.subscribe((event) => {
      if (event.type === "TextDelta") for (const prepared of bus.prepare(run, recovered)) bus.publish(prepared);
    });
    const events = received(bus);
    bus.emit(run, text("word"));
    for (const event of bus.prepare(run, turn(1))) bus.publish(event);
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ["TextDelta", 1],
      ["TurnStarted", 2],
      ["GuardianRecovered", 3],
    ]);
  });

  test("can be answered by a listener, however many are pending", () => {
    const { bus, errors } = busWith();
    const [first] = bus.prepare(run, turn(0));
    for (let n = 1; n <= 10_001; n += 1) bus.emit(run, turn(n));
    let answers = 0;
    bus.subscribe((event) => {
      if (event.type === "TurnStarted" && event.turn === 1) bus.emit(run, recovered);
      if (event.type === "GuardianRecovered") answers += 1;
    });
    if (first !== undefined) bus.publish(first);
    expect([answers, errors]).toEqual([1, []]);
  });

  test("cannot be answered by a listener without end", () => {
    const { bus, errors } = busWith();
    const stop = bus.subscribe(() => {
      for (const event of bus.prepare(run, turn(0))) bus.publish(event);
    });
    bus.emit(run, turn(1));
    expect(errors).toHaveLength(1);
    stop();
    const events = received(bus);
    bus.emit(run, turn(2));
    expect(events).toHaveLength(1);
  });
});

describe("streams", () => {
  test("a late reader gets past events, then new ones, each once", async () => {
    const { bus } = busWith();
    bus.emit(run, turn(1));
    bus.emit(run, turn(2));
    const stream = bus.stream({ sessionId: "ses_1", afterSeq: 1 });
    bus.emit({ sessionId: "ses_2", runId: "r" }, turn(9));
    bus.emit(run, turn(3));
    expect((await take(stream, 2)).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test("a waiting reader gets the next event, and is released by return and by its signal", async () => {
    const { bus } = busWith();
    const control = new AbortController();
    const stream = bus.stream({ sessionId: "ses_1", signal: control.signal });
    const first = stream.next();
    const second = stream.next();
    bus.emit(run, turn(1));
    expect((await first).value).toMatchObject({ seq: 1 });
    control.abort();
    expect(await second).toEqual({ done: true, value: undefined });
    const other = bus.stream({ sessionId: "ses_1", afterSeq: 1 });
    const waiting = other.next();
    await other.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await bus.stream({ sessionId: "ses_9", signal: AbortSignal.abort() }).next()).toEqual({
      done: true,
      value: undefined,
    });
  });

  test("the stream of a run ends with it, even if it is read only afterwards", async () => {
    const { bus } = busWith();
    const stream = bus.stream(run);
    bus.emit(run, turn(1));
    bus.emit({ ...run, runId: "run_2" }, turn(1));
    bus.emit(run, complete);
    bus.emit(run, turn(2));
    expect((await take(stream, 99)).map(({ type }) => type)).toEqual(["TurnStarted", "RunComplete"]);
    expect((await take(bus.stream(run), 99)).map(({ type }) => type)).toEqual(["TurnStarted", "RunComplete"]);
  });

  test("a slow reader misses deltas only, and gets their count", async () => {
    const { bus } = busWith({ queue: 10 });
    const slow = bus.stream({ sessionId: "ses_1" });
    const unfiltered = received(bus);
    for (let n = 0; n < 500; n += 1) bus.emit(run, text("word "));
    bus.emit(run, recovered);
    for (let n = 0; n < 50; n += 1) bus.emit(run, turn(n));
    for (let n = 0; n < 5; n += 1) bus.emit(run, text("word "));
    bus.emit(run, complete);
    const read = await take(slow, 62);
    expect(read.filter(({ type }) => type === "TextDelta")).toHaveLength(10);
    expect(read[10]).toMatchObject({ type: "GuardianRecovered", dropped: 490 });
    expect(read.at(-1)).toMatchObject({ type: "RunComplete", dropped: 5 });
    expect(unfiltered).toHaveLength(557);
  });

  test("the replay buffer is bounded, a long reply displaces deltas only, and a gap is counted", async () => {
    const { bus } = busWith({ keep: 3 });
    bus.emit(run, { type: "RunStarted", prompt: "" });
    for (let n = 0; n < 100; n += 1) bus.emit(run, text("word "));
    bus.emit(run, turn(1));
    const read = await take(bus.stream({ sessionId: "ses_1" }), 5);
    expect(read.map(({ seq, dropped }) => [seq, dropped])).toEqual([
      [1, undefined],
      [99, 97],
      [100, undefined],
      [101, undefined],
      [102, undefined],
    ]);
  });

  test("the events of the oldest sessions are dropped, their numbering is not", async () => {
    const { bus } = busWith({ keepSessions: 2 });
    for (const sessionId of ["a", "b", "c"]) bus.emit({ sessionId, runId: "r" }, turn(1));
    const stream = bus.stream({ sessionId: "a" });
    bus.emit({ sessionId: "a", runId: "r" }, turn(2));
    expect((await take(stream, 1)).map(({ seq }) => seq)).toEqual([2]);
  });

  test("a bus with keepSessions 0 replays nothing", async () => {
    const { bus } = busWith({ keepSessions: 0 });
    bus.subscribe({ sessionId: "ses_1", listener: () => undefined });
    for (let n = 1; n <= 3; n += 1) bus.emit(run, turn(n));
    const stream = bus.stream({ sessionId: "ses_1" });
    bus.emit(run, turn(4));
    expect((await take(stream, 1)).map(({ seq }) => seq)).toEqual([4]);
  });

  test("a session without replay buffer still has its listeners", () => {
    const { bus } = busWith({ keepSessions: 1 });
    const seen: number[] = [];
    bus.emit({ sessionId: "a", runId: "r" }, turn(1));
    bus.subscribe({ sessionId: "a", listener: (event) => seen.push(event.seq) });
    for (const sessionId of ["b", "c"]) bus.emit({ sessionId, runId: "r" }, turn(1));
    bus.emit({ sessionId: "a", runId: "r" }, turn(2));
    expect(seen).toEqual([2]);
  });

  test("a session without replay buffer still has the text that was held back", () => {
    const { bus } = busWith({ keepSessions: 1 });
    const events = received(bus);
    bus.emit({ sessionId: "a", runId: "r" }, text("first last"));
    for (const sessionId of ["b", "c"]) bus.emit({ sessionId, runId: "r" }, turn(1));
    bus.emit({ sessionId: "a", runId: "r" }, turn(2));
    expect(events.slice(-2)).toMatchObject([
      { sessionId: "a", text: "last", seq: 2 },
      { sessionId: "a", turn: 2, seq: 3 },
    ]);
  });

  test("texts of two sessions whose runs have the same id are not mixed", () => {
    const { bus } = busWith();
    const events = received(bus);
    for (const sessionId of ["a", "b"]) bus.emit({ sessionId, runId: "r" }, text(`${sessionId}1`));
    for (const sessionId of ["a", "b"]) bus.emit({ sessionId, runId: "r" }, text(`${sessionId}2 `));
    expect(events).toMatchObject([
      { sessionId: "a", text: "a1a2 " },
      { sessionId: "b", text: "b1b2 " },
    ]);
  });

  test("a hundred thousand unread events leave only the replay buffer", async () => {
    const { bus } = busWith({ keep: 10 });
    for (let n = 0; n < 100_000; n += 1) bus.emit(run, turn(n));
    expect((await take(bus.stream({ sessionId: "ses_1" }), 10)).map(({ seq }) => seq)[0]).toBe(99_991);
  });
});
