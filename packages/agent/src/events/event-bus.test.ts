import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import { createEventBus, type EventBus } from "./event-bus.ts";

const place = { sessionId: "ses_1", runId: "run_1" };
const turn = (n: number): AgentEventBody => ({ type: "TurnStarted", turn: n });
const text = (piece: string): AgentEventBody => ({ type: "TextDelta", text: piece });
const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };
const complete: AgentEventBody = {
  type: "RunComplete",
  result: {
    ...place,
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
/** Listeners that fail are told to `errors`. */
const busWith = (options: { keep?: number; queue?: number; keepSessions?: number } = {}) => {
  const errors: unknown[] = [];
  return { bus: createEventBus({ now: () => 5, onListenerError: (error) => errors.push(error), ...options }), errors };
};
const heard = (bus: EventBus) => {
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

describe("what an event carries", () => {
  test("its number within the session, time, place and severity", () => {
    const { bus } = busWith();
    const events = heard(bus);
    bus.emit(place, { type: "RunStarted", prompt: "go" });
    bus.emit({ sessionId: "ses_2", runId: "run_2" }, turn(1));
    bus.emit(place, turn(1));
    expect(events).toEqual([
      { type: "RunStarted", prompt: "go", seq: 1, at: 5, ...place, severity: "info" },
      { type: "TurnStarted", turn: 1, seq: 1, at: 5, sessionId: "ses_2", runId: "run_2", severity: "debug" },
      { type: "TurnStarted", turn: 1, seq: 2, at: 5, ...place, severity: "debug" },
    ]);
  });

  test("a resumed session is counted on behind what another process emitted", () => {
    const { bus } = busWith();
    const events = heard(bus);
    bus.resume("ses_1", 41);
    bus.resume("ses_1", 3);
    bus.emit(place, turn(1));
    expect(events.map(({ seq }) => seq)).toEqual([42]);
  });

  test("no listener can change what the next one sees", () => {
    const { bus, errors } = busWith();
    const input = { path: "a.ts", list: [1] };
    bus.subscribe((event) => {
      (event as { input: { path: string } }).input.path = "changed"; // what a careless listener does
    });
    const events = heard(bus);
    bus.emit(place, { type: "ToolStart", callId: "c1", tool: "read", input });
    input.path = "changed later";
    expect(events[0]).toMatchObject({ input: { path: "a.ts", list: [1] } });
    expect(errors).toHaveLength(1);
  });
});

describe("secrets", () => {
  const canary = "sk-canary-9f8e7d6c5b4a39281706";

  test("no canary reaches a listener, wherever it stands", async () => {
    const { bus } = busWith();
    const events = heard(bus);
    const stream = bus.stream("ses_1");
    bus.emit(place, { type: "RunStarted", prompt: `use ${canary}` });
    bus.emit(place, {
      type: "ToolStart",
      callId: "c1",
      tool: "bash",
      input: { command: `curl -H "x-api-key: ${canary}"`, nested: [{ deep: canary }], [canary]: 1 },
    });
    bus.emit(place, {
      type: "ToolEnd",
      callId: "c1",
      tool: "bash",
      status: "ok",
      content: `Authorization: Basic ${canary}`,
      ms: 1,
      details: new Error(canary),
    });
    bus.emit(place, { type: "StreamEnd", isComplete: false, problem: `https://user:${canary}@host/` });
    bus.emit(place, {
      ...complete,
      type: "RunError",
      result: { ...(complete as { result: object }).result, text: canary, problem: canary },
    } as AgentEventBody);
    expect(events).toHaveLength(5);
    expect(JSON.stringify(events)).not.toContain("canary");
    expect(JSON.stringify(await take(stream, 5))).not.toContain("canary");
  });

  test("what stands under a name like password is left out however it looks", () => {
    const { bus } = busWith();
    const events = heard(bus);
    bus.emit(place, {
      type: "ToolStart",
      callId: "c1",
      tool: "login",
      input: { password: "hunter2", api_key: "x1", user: "ann", maxTokens: 5 },
    });
    expect(events[0]).toMatchObject({ input: { password: "…", api_key: "…", user: "ann", maxTokens: 5 } });
  });

  test.each([1, 2, 3, 5, 8, 13])("a secret that comes in pieces of %i characters is known all the same", (size) => {
    const { bus } = busWith();
    const events = heard(bus);
    const said = `The key is ${canary} and Authorization: Bearer hunter2hunter2 , the password: swordfish9 too. Bye`;
    for (let at = 0; at < said.length; at += size) bus.emit(place, text(said.slice(at, at + size)));
    bus.emit(place, { type: "StreamEnd", isComplete: true });
    const shown = events.map((event) => (event.type === "TextDelta" ? event.text : "")).join("");
    expect(shown).toBe("The key is … and Authorization: Bearer … , the password: … too. Bye");
    expect(events.at(-1)?.type).toBe("StreamEnd");
  });

  test("text, thinking and tool input are told in the order they came, nothing lost", () => {
    const { bus } = busWith();
    const events = heard(bus);
    bus.emit(place, { type: "ThinkingDelta", text: "let me see" });
    bus.emit(place, text("so it is"));
    bus.emit(place, { type: "ToolInputDelta", callId: "a", text: '{"x":1}' });
    bus.emit(place, { type: "ToolInputDelta", callId: "b", text: '{"y":1}' });
    bus.emit(place, turn(2));
    const told = events.map((event) => ("text" in event ? event.text : event.type)).join("|");
    expect(told).toBe('let me |see|so it |is|{"x":1}|{"y":1}|TurnStarted');
  });

  test("values that are no JSON become plain data", () => {
    const { bus } = busWith();
    const events = heard(bus);
    const cyclic: Record<string, unknown> = { big: 10n, when: new Date(0), f: () => 1 };
    cyclic["self"] = cyclic;
    Object.defineProperty(cyclic, "bad", { enumerable: false, value: 1 });
    const throwing = {
      get now(): string {
        throw new Error("no");
      },
    };
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`) as unknown;
    bus.emit(place, {
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

  test("what is said twice is no circle", () => {
    const { bus } = busWith();
    const events = heard(bus);
    const shared = { list: [1] };
    bus.emit(place, {
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

  test("one that throws, one that rejects and one that never answers harm nobody", async () => {
    const { bus, errors } = busWith();
    bus.subscribe(() => {
      throw new Error("thrown");
    });
    bus.subscribe(async () => {
      throw new Error("rejected");
    });
    bus.subscribe(() => new Promise(() => undefined));
    bus.subscribe(() => ({
      // biome-ignore lint/suspicious/noThenProperty: the thing under test
      get then(): never {
        throw new Error("thenable");
      },
    }));
    const events = heard(bus);
    bus.emit(place, turn(1));
    bus.emit(place, turn(2));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toHaveLength(2);
    expect(errors.map((error) => (error as Error).message).sort()).toEqual(["rejected", "thenable", "thrown"]); // each once
    expect(rejections).toEqual([]);
  });

  test("an error handler that throws harms nobody either", () => {
    const bus = createEventBus({
      now: () => 0,
      onListenerError: () => {
        throw new Error("worse");
      },
    });
    bus.subscribe(() => {
      throw new Error("bad");
    });
    const events = heard(bus);
    bus.emit(place, turn(1));
    expect(events).toHaveLength(1);
  });

  test("what a listener emits is told after the present event, to all in the same order", () => {
    const { bus } = busWith();
    bus.subscribe((event) => {
      if (event.type === "RunStarted") bus.emit(place, turn(1));
    });
    const events = heard(bus);
    bus.emit(place, { type: "RunStarted", prompt: "" });
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ["RunStarted", 1],
      ["TurnStarted", 2],
    ]);
  });

  test.each([1, 3])("a listener that answers every event with %i others is stopped, and the bus goes on", (answers) => {
    const { bus, errors } = busWith();
    let calls = 0;
    const stop = bus.subscribe(() => {
      calls += 1;
      if (calls < 50_000) for (let n = 0; n < answers; n += 1) bus.emit(place, turn(0));
    });
    bus.emit(place, turn(1));
    expect(errors[0]).toEqual(
      new Error("Listeners answer events with further events without end: TurnStarted was not emitted."),
    );
    stop();
    const events = heard(bus);
    bus.emit(place, turn(2));
    expect(events).toHaveLength(1);
  });

  test("one that ends itself or another while an event is told is heeded at once", () => {
    const { bus } = busWith();
    const calls: string[] = [];
    const endSelf = bus.subscribe(() => {
      calls.push("self");
      endSelf();
      endOther();
    });
    const endOther = bus.subscribe(() => calls.push("other"));
    bus.subscribe(() => calls.push("third"));
    bus.emit(place, turn(1));
    bus.emit(place, turn(2));
    expect(calls).toEqual(["self", "third", "third"]);
  });

  test("one that comes while an event is told hears the next", () => {
    const { bus } = busWith();
    const late: number[] = [];
    const end = bus.subscribe(() => {
      end();
      bus.subscribe((event) => late.push(event.seq));
    });
    bus.emit(place, turn(1));
    bus.emit(place, turn(2));
    expect(late).toEqual([2]);
  });

  test("a hundred thousand of them are told, and can all leave", () => {
    const { bus } = busWith();
    let calls = 0;
    const ends = Array.from({ length: 100_000 }, () =>
      bus.subscribe(() => {
        calls += 1;
      }),
    );
    bus.emit(place, turn(1));
    for (const end of ends) end();
    bus.emit(place, turn(2));
    expect(calls).toBe(100_000);
  });

  test("one hears only the session, the run and the types it asks for, until its signal ends it", () => {
    const { bus } = busWith();
    const seen: number[] = [];
    const over = new AbortController();
    bus.subscribe({ listener: (event) => seen.push(event.seq), ...place, types: ["TurnStarted"], signal: over.signal });
    bus.emit(place, turn(1));
    bus.emit(place, recovered);
    bus.emit({ ...place, runId: "run_2" }, turn(1));
    bus.emit({ ...place, sessionId: "ses_2" }, turn(1));
    bus.emit(place, turn(2));
    over.abort();
    bus.emit(place, turn(3));
    expect(seen).toEqual([1, 4]);
  });
});

test("a secret that hangs on a usage is not published", () => {
  const { bus } = busWith();
  const events = heard(bus);
  const more = Object.freeze({ ...usage, raw: { headers: "Authorization: Bearer sk-1234567890abcdef" } });
  bus.emit(place, { type: "UsageUpdate", usage: more, total: usage });
  expect(events).toMatchObject([{ usage }]);
  expect(JSON.stringify(events)).not.toContain("sk-1234567890abcdef");
});

describe("events that are made first and told later", () => {
  const other = { ...place, runId: "run_2" };
  const seqs = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);

  test("they are numbered and masked, and nobody hears of them until they are told", async () => {
    const { bus } = busWith();
    const events = heard(bus);
    const made = bus.prepare(place, { type: "RunStarted", prompt: "use sk-canary-9f8e7d6c5b4a39281706" });
    expect(made).toEqual([{ type: "RunStarted", prompt: "use …", seq: 1, at: 5, ...place, severity: "info" }]);
    expect(Object.isFrozen(made[0])).toBe(true);
    expect(events).toEqual([]);
    const stream = bus.stream("ses_1");
    for (const event of made) bus.publish(event);
    expect(events).toEqual(made);
    expect(await take(stream, 1)).toEqual(made);
    expect(await take(bus.stream("ses_1"), 1)).toEqual(made);
  });

  test("words that were held back come with the next event that is made", () => {
    const { bus } = busWith();
    const events = heard(bus);
    bus.emit(place, text("so it"));
    expect(bus.prepare(place, text(" is"))).toMatchObject([{ type: "TextDelta", text: "it " }]);
    const made = bus.prepare(place, turn(2));
    expect(made).toMatchObject([
      { type: "TextDelta", text: "is", seq: 3 },
      { type: "TurnStarted", seq: 4 },
    ]);
    expect(seqs(events)).toEqual([1]);
  });

  test("what is emitted meanwhile in the session waits for them, in other sessions it does not", () => {
    const { bus } = busWith();
    const events = heard(bus);
    const [one] = bus.prepare(place, turn(1));
    const [two] = bus.prepare(place, turn(2));
    bus.emit(place, turn(3));
    bus.emit(other, turn(1));
    bus.emit({ sessionId: "ses_2", runId: "run_3" }, turn(9));
    expect(events).toMatchObject([{ sessionId: "ses_2", seq: 1 }]);
    if (two !== undefined) bus.publish(two);
    expect(events).toHaveLength(1);
    if (one !== undefined) bus.publish(one);
    expect(seqs(events)).toEqual([1, 1, 2, 3, 4]);
  });

  test("an event is told once, and only by the bus that made it", () => {
    const { bus } = busWith();
    const events = heard(bus);
    const strange = busWith().bus.prepare(place, turn(7));
    const made = bus.prepare(place, turn(1));
    for (const event of [...made, ...made, ...strange]) bus.publish(event);
    bus.emit(place, turn(2));
    expect(events.map((event) => event.type === "TurnStarted" && event.turn)).toEqual([1, 2]);
  });

  test("what was never told is left out when its run ends, and holds up nobody", () => {
    const { bus } = busWith();
    const events = heard(bus);
    const lost = bus.prepare(place, turn(1));
    bus.emit(other, turn(5));
    bus.emit(place, turn(2));
    expect(events).toEqual([]);
    bus.emit(place, complete);
    for (const event of lost) bus.publish(event);
    expect(seqs(events)).toEqual([2, 3, 4]);
  });

  test("the end of a run leaves what another run of the session has not told yet", () => {
    const { bus } = busWith();
    const events = heard(bus);
    const late = bus.prepare(other, turn(1));
    bus.emit(place, complete);
    expect(events).toEqual([]);
    for (const event of late) bus.publish(event);
    expect(seqs(events)).toEqual([1, 2]);
  });

  test("a listener that answers while they are told is heard after them", () => {
    const { bus } = busWith();
    bus.subscribe((event) => {
      if (event.type === "TextDelta") for (const made of bus.prepare(place, recovered)) bus.publish(made);
    });
    const events = heard(bus);
    bus.emit(place, text("word"));
    for (const event of bus.prepare(place, turn(1))) bus.publish(event);
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([
      ["TextDelta", 1],
      ["TurnStarted", 2],
      ["GuardianRecovered", 3],
    ]);
  });

  test("however many waited, a listener may answer one of them", () => {
    const { bus, errors } = busWith();
    const [first] = bus.prepare(place, turn(0));
    for (let n = 1; n <= 10_001; n += 1) bus.emit(place, turn(n));
    let answers = 0;
    bus.subscribe((event) => {
      if (event.type === "TurnStarted" && event.turn === 1) bus.emit(place, recovered);
      if (event.type === "GuardianRecovered") answers += 1;
    });
    if (first !== undefined) bus.publish(first);
    expect([answers, errors]).toEqual([1, []]);
  });

  test("a listener that answers without end this way is stopped too", () => {
    const { bus, errors } = busWith();
    const stop = bus.subscribe(() => {
      for (const event of bus.prepare(place, turn(0))) bus.publish(event);
    });
    bus.emit(place, turn(1));
    expect(errors).toHaveLength(1);
    stop();
    const events = heard(bus);
    bus.emit(place, turn(2));
    expect(events).toHaveLength(1);
  });
});

describe("streams", () => {
  test("who comes late reads what was, then what comes, each once", async () => {
    const { bus } = busWith();
    bus.emit(place, turn(1));
    bus.emit(place, turn(2));
    const stream = bus.stream("ses_1", 1);
    bus.emit({ sessionId: "ses_2", runId: "r" }, turn(9));
    bus.emit(place, turn(3));
    expect((await take(stream, 2)).map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test("a reader that is waiting gets the event, and is released by return and by its signal", async () => {
    const { bus } = busWith();
    const over = new AbortController();
    const stream = bus.stream({ sessionId: "ses_1", signal: over.signal });
    const first = stream.next();
    const second = stream.next();
    bus.emit(place, turn(1));
    expect((await first).value).toMatchObject({ seq: 1 });
    over.abort();
    expect(await second).toEqual({ done: true, value: undefined });
    const other = bus.stream("ses_1", 1);
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
    const stream = bus.stream(place);
    bus.emit(place, turn(1));
    bus.emit({ ...place, runId: "run_2" }, turn(1));
    bus.emit(place, complete);
    bus.emit(place, turn(2));
    expect((await take(stream, 99)).map(({ type }) => type)).toEqual(["TurnStarted", "RunComplete"]);
    expect((await take(bus.stream(place), 99)).map(({ type }) => type)).toEqual(["TurnStarted", "RunComplete"]);
  });

  test("a slow reader loses deltas only, and is told how many", async () => {
    const { bus } = busWith({ queue: 10 });
    const slow = bus.stream("ses_1");
    const quick = heard(bus);
    for (let n = 0; n < 500; n += 1) bus.emit(place, text("word "));
    bus.emit(place, recovered);
    for (let n = 0; n < 50; n += 1) bus.emit(place, turn(n));
    for (let n = 0; n < 5; n += 1) bus.emit(place, text("word "));
    bus.emit(place, complete);
    const read = await take(slow, 62);
    expect(read.filter(({ type }) => type === "TextDelta")).toHaveLength(10);
    expect(read[10]).toMatchObject({ type: "GuardianRecovered", dropped: 490 });
    expect(read.at(-1)).toMatchObject({ type: "RunComplete", dropped: 5 });
    expect(quick).toHaveLength(557);
  });

  test("what is kept is bounded, a long reply drives out deltas only, and a gap is told", async () => {
    const { bus } = busWith({ keep: 3 });
    bus.emit(place, { type: "RunStarted", prompt: "" });
    for (let n = 0; n < 100; n += 1) bus.emit(place, text("word "));
    bus.emit(place, turn(1));
    const read = await take(bus.stream("ses_1"), 5);
    expect(read.map(({ seq, dropped }) => [seq, dropped])).toEqual([
      [1, undefined],
      [99, 97],
      [100, undefined],
      [101, undefined],
      [102, undefined],
    ]);
  });

  test("the oldest sessions are forgotten, their numbers are not", async () => {
    const { bus } = busWith({ keepSessions: 2 });
    for (const sessionId of ["a", "b", "c"]) bus.emit({ sessionId, runId: "r" }, turn(1));
    const stream = bus.stream("a");
    bus.emit({ sessionId: "a", runId: "r" }, turn(2));
    expect((await take(stream, 1)).map(({ seq }) => seq)).toEqual([2]);
  });

  test("a bus that keeps no session keeps nothing", async () => {
    const { bus } = busWith({ keepSessions: 0 });
    bus.subscribe({ sessionId: "ses_1", listener: () => undefined });
    for (let n = 1; n <= 3; n += 1) bus.emit(place, turn(n));
    const stream = bus.stream("ses_1");
    bus.emit(place, turn(4));
    expect((await take(stream, 1)).map(({ seq }) => seq)).toEqual([4]);
  });

  test("a forgotten session still has its listeners", () => {
    const { bus } = busWith({ keepSessions: 1 });
    const seen: number[] = [];
    bus.emit({ sessionId: "a", runId: "r" }, turn(1));
    bus.subscribe({ sessionId: "a", listener: (event) => seen.push(event.seq) });
    for (const sessionId of ["b", "c"]) bus.emit({ sessionId, runId: "r" }, turn(1));
    bus.emit({ sessionId: "a", runId: "r" }, turn(2));
    expect(seen).toEqual([2]);
  });

  test("a forgotten session still has the words that were held back", () => {
    const { bus } = busWith({ keepSessions: 1 });
    const events = heard(bus);
    bus.emit({ sessionId: "a", runId: "r" }, text("first last"));
    for (const sessionId of ["b", "c"]) bus.emit({ sessionId, runId: "r" }, turn(1));
    bus.emit({ sessionId: "a", runId: "r" }, turn(2));
    expect(events.slice(-2)).toMatchObject([
      { sessionId: "a", text: "last", seq: 2 },
      { sessionId: "a", turn: 2, seq: 3 },
    ]);
  });

  test("words of two sessions with runs of the same name are not mixed", () => {
    const { bus } = busWith();
    const events = heard(bus);
    for (const sessionId of ["a", "b"]) bus.emit({ sessionId, runId: "r" }, text(`${sessionId}1`));
    for (const sessionId of ["a", "b"]) bus.emit({ sessionId, runId: "r" }, text(`${sessionId}2 `));
    expect(events).toMatchObject([
      { sessionId: "a", text: "a1a2 " },
      { sessionId: "b", text: "b1b2 " },
    ]);
  });

  test("a hundred thousand events with nobody reading leave nothing but what is kept", async () => {
    const { bus } = busWith({ keep: 10 });
    for (let n = 0; n < 100_000; n += 1) bus.emit(place, turn(n));
    expect((await take(bus.stream("ses_1"), 10)).map(({ seq }) => seq)[0]).toBe(99_991);
  });
});
