import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolKind } from "@sheepdog/guardian";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createEventBus } from "../events/event-bus.ts";
import { machineClock } from "../protocol/clock.ts";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import { builtinTools } from "./builtin-tools.ts";
import { defineTool } from "./define-tool.ts";
import { type ExecutableCall, type ExecuteOptions, executeCalls } from "./execute-calls.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import { ok, type Tool, type ToolContext } from "./tool.ts";
import { createToolRegistry } from "./tool-registry.ts";

let bench: ToolWorkspace;
let events: AgentEventBody[];
let clock: ReturnType<typeof manualClock>;
beforeEach(async () => {
  bench = await createToolWorkspace();
  events = [];
  clock = manualClock();
});
afterEach(() => bench.remove());

/** Time passes only by `pass`. */
function manualClock() {
  let time = 0;
  let ids = 0;
  const sleepers = new Set<{ readonly until: number; wake(): void }>();
  return {
    now: () => time,
    newId: (prefix: string) => `${prefix}_${ids++}`,
    after(ms: number, wake: () => void) {
      const sleeper = { until: time + ms, wake };
      sleepers.add(sleeper);
      return () => void sleepers.delete(sleeper);
    },
    pass(ms: number) {
      time += ms;
      for (const { until, wake } of sleepers) if (until <= time) wake();
    },
  };
}

const call = (tool: Tool, input: Record<string, unknown> = {}, id = "call_1"): ExecutableCall => ({
  call: { type: "call", id, tool: tool.name, input },
  tool,
});
const options = (more: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  parallel: true,
  timeoutMs: 1_000,
  maxOutputTokens: 1_000,
  context: { sessionId: "ses_1", runId: "run_1", workspace: bench.workspace },
  emit: (event) => events.push(event),
  signal: new AbortController().signal,
  clock,
  ...more,
});
/** A tool whose `run` may break its types. */
const tool = (run: (input: unknown, context: ToolContext) => unknown, more: Partial<Tool> = {}): Tool =>
  // The tests break the type of `run` on purpose.
  defineTool({ name: "it", description: "", input: z.looseObject({}), kind: "read", run: run as Tool["run"], ...more });
const seen = ({ status, content }: ResultMessage) => ({ status, content });
const only = async (each: ExecutableCall, more: Partial<ExecuteOptions> = {}) =>
  (await executeCalls([each], options(more))).map(seen)[0];
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("copies of the tool's context have the call's signal too", async () => {
  const ended = new AbortController();
  const signals: AbortSignal[] = [];
  const copying = tool(async (_, context) => {
    const readOnly = new Proxy(context, { set: () => false });
    signals.push(Object.create(context).signal, readOnly.signal, context.signal, { ...context }.signal);
    ended.abort();
    return new Promise(() => undefined);
  });
  expect(await only(call(copying), { signal: ended.signal })).toMatchObject({ status: "interrupted" });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
});

test("a tool may freeze its context, which has no other fields", async () => {
  let names: readonly string[] = [];
  const freezing = tool(async (_, context) => {
    names = Object.keys(Object.freeze(context));
    return ok("fine");
  });
  expect(await only(call(freezing))).toEqual({ status: "ok", content: "fine" });
  expect(names.toSorted()).toEqual(["callId", "progress", "runId", "sessionId", "signal", "workspace"]);
});

test("a result carries its call's id, and start and end are emitted", async () => {
  const results = await executeCalls(
    [
      call(
        tool(async () => ok("fine", { lines: 1 })),
        { a: 1 },
        "call_7",
      ),
    ],
    options(),
  );
  expect(results).toEqual([
    { role: "tool", id: "msg_0", at: 0, callId: "call_7", tool: "it", status: "ok", content: "fine" },
  ]);
  expect(events).toEqual([
    { type: "ToolStart", callId: "call_7", tool: "it", input: { a: 1 }, kind: "read" },
    { type: "ToolEnd", callId: "call_7", tool: "it", status: "ok", content: "fine", ms: 0, details: { lines: 1 } },
  ]);
});

test("the bus publishes no secret of a call, its output or its details", async () => {
  const bus = createEventBus({ now: () => 0 });
  const published: AgentEvent[] = [];
  bus.subscribe((event) => void published.push(event));
  await executeCalls(
    [
      call(
        tool(async () => ok("API_KEY=abcdef123456", { seen: "token: abcdef123456" })),
        { header: "Authorization: Bearer abcdef123456" },
      ),
    ],
    options({ emit: (event) => bus.emit({ sessionId: "ses_1", runId: "run_1" }, event) }),
  );
  expect(published).toMatchObject([
    { input: { header: "Authorization: Bearer …" } },
    { content: "API_KEY=…", details: { seen: "token: …" } },
  ]);
});

test("a call with invalid or unreadable arguments is answered and not run", async () => {
  let runs = 0;
  const strict = tool(
    async () => {
      runs++;
      return ok("");
    },
    { input: z.strictObject({ path: z.string() }) },
  );
  expect(await only(call(strict, { path: 1 }))).toEqual({
    status: "invalid-arguments",
    content:
      "Not run: the arguments of it are not valid. path: Invalid input: expected string, received number. " +
      "it takes: path.",
  });
  const broken: CallPart = { type: "call", id: "c", tool: "it", input: undefined, problem: "The JSON ends too early" };
  expect(await only({ call: broken, tool: strict })).toEqual({
    status: "invalid-arguments",
    content: "Not run: the arguments of it are not valid. The JSON ends too early. it takes: path.",
  });
  const throwing = {
    "~standard": {
      version: 1,
      vendor: "x",
      validate: () => {
        throw new Error("schema broke");
      },
    },
  } as const;
  expect((await only(call(tool(async () => ok(""), { input: throwing }))))?.status).toBe("invalid-arguments");
  expect(runs).toBe(0);
  expect(events.filter(({ type }) => type === "ToolEnd").length).toBe(3);
});

const throwingProxy = new Proxy(
  {},
  {
    get: () => {
      throw new Error("trap");
    },
    has: () => {
      throw new Error("trap");
    },
    ownKeys: () => {
      throw new Error("trap");
    },
  },
);

test.each([
  ["undefined", undefined, "it failed: it gave no reason (it threw undefined)"],
  ["a string", "disk on fire", "it failed: disk on fire"],
  ["an error", new Error("broken"), "it failed: broken"],
  ["a proxy that throws", throwingProxy, "it failed: [unreadable]"],
])("a tool that throws %s has failed", async (_, thrown, content) => {
  const rejecting = tool(async () => {
    throw thrown;
  });
  const throwing = tool(() => {
    throw thrown;
  });
  expect(await only(call(rejecting))).toEqual({ status: "error", content });
  expect(await only(call(throwing))).toEqual({ status: "error", content });
});

const cycle: Record<string, unknown> = { a: 1 };
cycle["self"] = cycle;
test.each([
  ["undefined", undefined, "[no output]"],
  ["a string", "text", "text"],
  ["a number", 7, "7"],
  ["a cycle", cycle, '{\n "a": 1,\n "self": "[circular reference]"\n}'],
  ["an outcome with data for content", { status: "ok", content: { n: 10n } }, '{\n "n": "10"\n}'],
  [
    "an outcome with a status of its own",
    { status: "splendid", content: "x" },
    '{\n "status": "splendid",\n "content": "x"\n}',
  ],
  ["a map", new Map([["k", Symbol("v")]]), '[\n [\n  "k",\n  "Symbol(v)"\n ]\n]'],
])("%s as a result becomes text", async (_, returned, content) => {
  expect(await only(call(tool(async () => returned)))).toEqual({ status: "ok", content });
});

test("a throwing proxy as a result is a failure, not a crash", async () => {
  expect((await only(call(tool(async () => throwingProxy))))?.status).toBe("error");
});

test("long and coloured output is cut and stripped", async () => {
  const result = await only(call(tool(async () => ok(`\u001b[31mred\u001b[0m\n${"x\n".repeat(100_000)}end`))), {
    maxOutputTokens: 100,
  });
  expect(result?.content.length).toBeLessThanOrEqual(400);
  expect(result?.content).toMatch(/^red\nx\n.*left out here.*end$/s);
});

test("a tool that never ends is given up when its time is up, and its late result is dropped", async () => {
  let finish: (outcome: unknown) => void = () => undefined;
  let isAborted = false;
  const stubborn = tool((_, { signal }) => {
    signal.addEventListener("abort", () => {
      isAborted = true;
    });
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  const running = only(call(stubborn));
  await turn();
  clock.pass(999);
  await turn();
  expect(events.map(({ type }) => type)).toEqual(["ToolStart"]);
  clock.pass(1);
  expect(await running).toEqual({
    status: "timeout",
    content:
      "[it was stopped: it took longer than 1000 ms. It may have done part of its work: check before you repeat it]",
  });
  finish(ok("late"));
  await turn();
  expect(isAborted).toBe(true);
  expect(events.map(({ type }) => type)).toEqual(["ToolStart", "ToolEnd"]);
});

test("a tool's own time limit replaces the default, also when it has none", async () => {
  const running = only(call(tool(() => new Promise(() => undefined), { timeoutMs: 5 })));
  await turn();
  clock.pass(5);
  expect((await running)?.status).toBe("timeout");
  const patient = only(
    call(
      tool(() => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(ok("answer"))))), {
        timeoutMs: Number.POSITIVE_INFINITY,
      }),
    ),
  );
  clock.pass(1e12);
  expect(await patient).toEqual({ status: "ok", content: "answer" });
});

test("a tool's time counts from the end of its synchronous part, which holds up the clock", async () => {
  const slow = async () => {
    clock.pass(60);
    await new Promise((resolve) => setImmediate(resolve));
    return ok("done");
  };
  expect((await only(call(tool(slow, { timeoutMs: 50 }))))?.content).toBe("done");
});

test("an abort ends running and waiting calls within one turn, each with a result", async () => {
  const controller = new AbortController();
  const unresponsive = tool(() => new Promise(() => undefined));
  const responsive = tool(
    (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ status: "interrupted", content: "half of it" })),
      ),
  );
  const calls = [
    call(unresponsive, {}, "a"),
    call(responsive, {}, "b"),
    ...Array.from({ length: 20 }, (_, i) => call(unresponsive, {}, `w${i}`)),
  ];
  const running = executeCalls(calls, options({ signal: controller.signal, maxParallel: 2 }));
  await turn();
  controller.abort();
  const results = await running;
  expect(results.map(({ callId }) => callId)).toEqual(calls.map((each) => each.call.id));
  expect(results.slice(0, 3).map(seen)).toEqual([
    {
      status: "interrupted",
      content: "[it was interrupted. It may have done part of its work: check before you repeat it]",
    },
    { status: "interrupted", content: "half of it" },
    { status: "interrupted", content: "it was not started: the run was interrupted." },
  ]);
  expect(events.filter(({ type }) => type === "ToolStart").length).toBe(2);
  expect(events.filter(({ type }) => type === "ToolEnd").length).toBe(22);
});

test("an abort before anything starts runs nothing, whatever the schema does", async () => {
  let runs = 0;
  const slow = {
    "~standard": { version: 1, vendor: "x", validate: () => new Promise<never>(() => undefined) },
  } as const;
  const counted = tool(async () => ok(String(runs++)), { input: slow });
  expect((await only(call(counted), { signal: AbortSignal.abort() }))?.status).toBe("interrupted");
  expect(runs).toBe(0);
});

test("five hundred calls run eight at a time, each once", async () => {
  let running = 0;
  let maxRunning = 0;
  let runs = 0;
  const counted = tool(async () => {
    maxRunning = Math.max(maxRunning, ++running);
    runs++;
    await turn();
    running--;
    return ok("");
  });
  const calls = Array.from({ length: 500 }, (_, i) => call(counted, {}, `c${i}`));
  const results = await executeCalls(calls, options());
  expect(results.map(({ callId }) => callId)).toEqual(calls.map((each) => each.call.id));
  expect({ maxRunning, runs }).toEqual({ maxRunning: 8, runs: 500 });
});

test("calls on the same resource run in order, others together; without parallel all run in order", async () => {
  const log: string[] = [];
  const named = (kind: ToolKind) =>
    tool(
      async (input) => {
        const { id } = input as { id: string }; // every call below has one
        log.push(`+${id}`);
        await turn();
        await turn();
        log.push(`-${id}`);
        return ok(id);
      },
      { kind, touches: (input) => (input as { on: string[] }).on }, // and this
    );
  const [reads, writes] = [named("read"), named("mutate")];
  const calls = [
    call(reads, { id: "r1", on: ["/w/a"] }),
    call(reads, { id: "r2", on: ["/w/a"] }),
    call(writes, { id: "w1", on: ["/w/a"] }),
    call(writes, { id: "w2", on: ["/w/b"] }),
    call(reads, { id: "r3", on: ["/w"] }),
    call(writes, { id: "w3", on: ["/w-evil"] }),
  ];
  await executeCalls(calls, options());
  const position = (entry: string) => log.indexOf(entry);
  expect(log.slice(0, 4).sort()).toEqual(["+r1", "+r2", "+w2", "+w3"]);
  expect(position("+w1")).toBeGreaterThan(Math.max(position("-r1"), position("-r2")));
  expect(position("+r3")).toBeGreaterThan(Math.max(position("-w1"), position("-w2")));
  log.length = 0;
  await executeCalls(calls, options({ parallel: false }));
  expect(log).toEqual(["r1", "r2", "w1", "w2", "r3", "w3"].flatMap((id) => [`+${id}`, `-${id}`]));
});

test("parallel edits of one file, by any of its names, all take effect", async () => {
  const registry = createToolRegistry(builtinTools({ workspace: bench.workspace }));
  const edit = registry.find("edit");
  const bash = registry.find("bash");
  if (edit === undefined || bash === undefined) throw new Error("Both are built in.");
  await writeFile(join(bench.workspace, "a.txt"), Array.from({ length: 20 }, (_, i) => `<${i}>`).join("\n"));
  const paths = ["a.txt", "./a.txt", "sub/../a.txt", join(bench.workspace, "a.txt")];
  const calls = Array.from({ length: 20 }, (_, i) =>
    call(edit, { path: paths[i % 4], old: `<${i}>`, new: `done ${i}` }, `e${i}`),
  );

  const results = await executeCalls(
    [...calls, call(bash, { command: "grep -c done a.txt" }, "last")],
    options({ clock: machineClock, timeoutMs: 30_000 }),
  );
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => "ok"));
  expect(results.at(-1)?.content).toBe("20\n[exit code 0]");
  expect(await readFile(join(bench.workspace, "a.txt"), "utf8")).toBe(
    Array.from({ length: 20 }, (_, i) => `done ${i}`).join("\n"),
  );
});

test("whatever tools do, every call has one result, in order", async () => {
  const behaviours = [
    async () => ok("x"),
    async () => undefined,
    () => Promise.reject(new Error("e")),
    () => 5,
    () => {
      throw "s";
    },
    async () => throwingProxy,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(5), fc.constantFrom("/a", "/b", "x"), fc.boolean()), { maxLength: 20 }),
      fc.boolean(),
      async (plan, parallel) => {
        const calls = plan.map(([which, on, isRead], i) =>
          call(
            tool(behaviours[which] ?? (() => 0), { kind: isRead ? "read" : "mutate", touches: () => [on] }),
            {},
            `c${i}`,
          ),
        );
        const results = await executeCalls(calls, options({ parallel }));
        expect(results.map(({ callId }) => callId)).toEqual(calls.map((each) => each.call.id));
      },
    ),
    { numRuns: 50 },
  );
});

test("the output of a running command is published before the command ends", async () => {
  const bash = createToolRegistry(builtinTools({ workspace: bench.workspace })).find("bash");
  if (bash === undefined) throw new Error("Expected a tool bash; got none.");
  await executeCalls(
    [call(bash, { command: "echo first; sleep 0.3" })],
    options({ clock: machineClock, timeoutMs: 20_000 }),
  );
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(["ToolStart", "ToolEnd"]);
  expect(events[1]).toEqual({ type: "ToolOutput", callId: "call_1", text: "first\n" });
});
