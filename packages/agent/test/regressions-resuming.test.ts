import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentEvent, memoryStores, ok, type Run, type Runtime, type Stores } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { askingGate, crashingStores, never, silentUser } from "./crashing-stores.ts";
import { calls, canary, done, tool } from "./fault-fixture.ts";
import { pairingProblems } from "./run-checks.ts";
import { session, testAgent } from "./test-agent.ts";

const approveAll = async () => ({ isAllowed: true });

/** A tool, and the inputs it was called with. */
function note() {
  const inputs: unknown[] = [];
  const act = async (input: unknown) => {
    inputs.push(input);
    return ok("noted");
  };
  return { inputs, tool: tool("note", "mutate", act) };
}

/** All events of a run, to its end. */
async function eventsOf(run: Run): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const isEnd = ({ type }: AgentEvent) => type === "RunComplete" || type === "RunError";

/** Crashes a process that waits for approval of calls. */
async function crashWhileAsking(stores: Stores, ...inputs: readonly unknown[]): Promise<void> {
  const process = crashingStores(stores);
  const { asked, approve } = silentUser();
  testAgent(scriptedModel([calls("note", ...inputs)]), [note().tool], {
    stores: process.stores,
    gate: askingGate,
    attended: true,
    approve,
  }).runtime.run(session, "FIRST");
  await asked;
  await process.crash();
}

describe("after a crash", () => {
  test("a call with redacted arguments is not run; a call without secrets is asked about and run", async () => {
    const stores = memoryStores();
    const secret = { path: ".env", content: `KEY=${canary}` };
    const plain = { path: "a.txt", content: "hello" };
    await crashWhileAsking(stores, secret, plain);

    const { inputs, tool: noting } = note();
    const asked: unknown[] = [];
    const approve = async ({ input }: { readonly input?: unknown }) => {
      asked.push(input);
      return approveAll();
    };
    const model = scriptedModel([calls("note", secret), done]);
    const agent = testAgent(model, [noting], { stores, gate: askingGate, attended: true, approve });
    const result = await (await agent.runtime.resume(session)).result;
    expect(result.reason).toBe("answered");
    expect(inputs).toEqual([plain, secret]);
    expect(asked).toEqual([plain, secret]);
    expect((await agent.results()).map(({ status }) => status)).toEqual(["interrupted", "ok", "ok"]);
    expect((await agent.results())[0]?.content).toMatch(/^Not run: .*Make the call again\.$/);
    expect(model.requests[0]?.text).toContain("Make the call again.");
  });

  test("a prompt sent while an approval was pending survives further crashes", async () => {
    const stores = memoryStores();
    await crashWhileAsking(stores, { path: "a.txt" });
    for (const start of [
      (runtime: Runtime) => runtime.run(session, "SECOND"),
      (runtime: Runtime) => runtime.resume(session),
    ]) {
      const process = crashingStores(stores);
      const { asked, approve } = silentUser();
      void start(
        testAgent(scriptedModel([]), [note().tool], {
          stores: process.stores,
          gate: askingGate,
          attended: true,
          approve,
        }).runtime,
      );
      await asked;
      await process.crash();
    }

    const { inputs, tool: noting } = note();
    const model = scriptedModel([done]);
    const last = testAgent(model, [noting], { stores, gate: askingGate, attended: true, approve: approveAll });
    expect((await (await last.runtime.resume(session)).result).reason).toBe("answered");
    expect(inputs).toEqual([{ path: "a.txt" }]);
    const { messages, runs } = await stores.sessions.load(session);
    expect(messages.flatMap((message) => (message.role === "user" ? [message.text] : []))).toEqual(["FIRST", "SECOND"]);
    expect(model.requests[0]?.text).toContain("SECOND");
    expect(pairingProblems(messages)).toEqual([]);
    expect(runs.map(({ prompt, state }) => [prompt, state])).toEqual([
      ["FIRST", "error"],
      ["SECOND", "completed"],
    ]);
  });

  test.each([
    ["the first run is resumed", (runtime: Runtime) => runtime.resume(session), ["completed"]],
    [
      "its session gets a new prompt",
      async (runtime: Runtime) => runtime.run(session, "What now?"),
      ["error", "completed"],
    ],
  ] as const)("subagents of subagents are closed once %s", async (_, resume, states) => {
    const stores = memoryStores();
    const first = crashingStores(stores);
    const sessions: string[] = [session];
    const inTool = new Promise<void>((resolve) => {
      const hold = tool("hold", "mutate", () => {
        resolve();
        return never();
      });
      const model = scriptedModel([], {
        afterLast({ text }) {
          if (text.includes("PARENT")) return calls("spawn", { task: "DEEPER" });
          return text.includes("DEEPER") ? calls("spawn", { task: "the deepest" }) : calls("hold", {});
        },
      });
      const { runtime } = testAgent(model, [hold], { stores: first.stores, subagents: true });
      runtime.bus.subscribe((event) => void (event.type === "ChildStarted" && sessions.push(event.childId)));
      runtime.run(session, "PARENT");
    });
    await inTool;
    await first.crash();
    expect(sessions).toHaveLength(3);

    const second = testAgent(scriptedModel([done]), [], { stores, subagents: true });
    expect((await (await resume(second.runtime)).result).reason).toBe("answered");
    for (const id of sessions) {
      const { runs, messages } = await stores.sessions.load(id);
      expect(runs.map(({ state }) => state)).toEqual(id === session ? states : ["error"]);
      expect(pairingProblems(messages)).toEqual([]);
      expect((await stores.events.after(id, 0)).filter(isEnd)).toHaveLength(runs.length);
    }
    expect((await stores.costs.rows(session)).filter(({ state }) => state === "reserved")).toEqual([]);
  });

  test("a run that could not save the end of the crashed run publishes its own end; the next starts", async () => {
    const stores = memoryStores();
    const dead = crashingStores(stores);
    const hanging = tool("hold", "mutate", never);
    const inTool = testAgent(scriptedModel([calls("hold", {})]), [hanging], { stores: dead.stores });
    await new Promise<void>((resolve) => {
      inTool.runtime.bus.subscribe((event) => void (event.type === "ToolStart" && resolve()));
      inTool.runtime.run(session, "Old.");
    });
    await dead.crash();

    let failures = 1;
    const commit: Stores["sessions"]["commit"] = async (lease, written) => {
      failures -= 1;
      if (failures >= 0) throw new Error("disk full");
      return stores.sessions.commit(lease, written);
    };
    const { runtime } = testAgent(scriptedModel([], { afterLast: done }), [hanging], {
      stores: { ...stores, sessions: { ...stores.sessions, commit } },
    });
    const broken = runtime.run(session, "New.");
    expect((await eventsOf(broken)).map(({ type }) => type)).toEqual(["RunStarted", "RunError"]);
    expect(await broken.result).toMatchObject({ reason: "internal_error", problem: "disk full" });
    const next = runtime.run(session, "Again.");
    expect((await eventsOf(next)).at(-1)?.type).toBe("RunComplete");
  });
});

describe("resume", () => {
  test("returns a run whose events end with its new end, not with an earlier end that was not saved", async () => {
    const stores = memoryStores();
    let isFull = false;
    const commit: Stores["sessions"]["commit"] = async (lease, written) => {
      if (isFull) throw new Error("disk full");
      return stores.sessions.commit(lease, written);
    };
    const agent = testAgent(scriptedModel([], { afterLast: done }), [], {
      stores: { ...stores, sessions: { ...stores.sessions, commit } },
    });
    const stop = agent.runtime.bus.subscribe((event) => {
      if (event.type === "TurnStarted") isFull = true;
    });
    const first = await agent.runtime.run(session, "Go.").result;
    expect(first).toMatchObject({ reason: "internal_error", problem: "disk full" });
    stop();
    isFull = false;

    const run = await agent.runtime.resume(session);
    const events = await eventsOf(run);
    expect(await run.result).toMatchObject({ reason: "answered", runId: first.runId });
    expect(events[0]).toMatchObject({ type: "RunStarted", isResumed: true });
    expect(events.filter(isEnd).map(({ type }) => type)).toEqual(["RunComplete"]);
    expect(events.at(-1)?.type).toBe("RunComplete");
  });

  /** A run that lasts until `finish` is called, with a log. */
  function runWithLog() {
    const dir = mkdtempSync(join(tmpdir(), "sheepdog-resume-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const log = { dir, level: 3 } as const;
    const stores = memoryStores();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let onBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      onBegun = resolve;
    });
    const model = scriptedModel([
      async () => {
        onBegun();
        await finished;
        return done;
      },
    ]);
    const { runtime } = testAgent(model, [], { stores, log });
    const lines = () =>
      readdirSync(join(dir, session)).flatMap((file) =>
        readFileSync(join(dir, session, file), "utf8")
          .trim()
          .split("\n"),
      );
    const seqs = () => lines().map((line) => Number(JSON.parse(line).seq));
    return { stores, log, runtime, begun, finish, lines, seqs };
  }

  test("of a run in this process writes nothing to its log, and returns its result", async () => {
    const { runtime, begun, finish, lines, seqs } = runWithLog();
    const run = runtime.run(session, "Go.");
    await begun;
    const doubled = [await runtime.resume(session), await runtime.resume(session)];
    finish();
    expect([run, ...doubled].map(({ runId }) => runId)).toEqual([run.runId, run.runId, run.runId]);
    expect((await Promise.all([run, ...doubled].map(({ result }) => result))).map(({ reason }) => reason)).toEqual([
      "answered",
      "answered",
      "answered",
    ]);
    expect(seqs()).toEqual([...new Set(seqs())].sort((a, b) => a - b));
    expect(lines().filter((line) => line.includes('"RunStarted"') || line.includes('"RunComplete"'))).toHaveLength(2);
  });

  test("of a run in another runtime is refused, and writes nothing to its log", async () => {
    const { runtime, begun, finish, lines, seqs, stores, log } = runWithLog();
    const run = runtime.run(session, "Go.");
    await begun;
    const refused = await testAgent(scriptedModel([]), [], { stores, log }).runtime.resume(session);
    expect(await refused.result).toMatchObject({
      reason: "internal_error",
      problem: expect.stringContaining("is in use by"),
    });
    finish();
    expect((await run.result).reason).toBe("answered");
    expect(seqs()).toEqual([...new Set(seqs())].sort((a, b) => a - b));
    expect(
      lines().filter(
        (line) => line.includes('"RunStarted"') || line.includes('"RunComplete"') || line.includes('"RunError"'),
      ),
    ).toHaveLength(2);
  });

  test("of a run in another runtime can be repeated after its crash, and the events end with the run", async () => {
    const stores = memoryStores();
    const other = crashingStores(stores);
    const { asked, approve } = silentUser();
    testAgent(scriptedModel([calls("note", {})]), [note().tool], {
      stores: other.stores,
      gate: askingGate,
      attended: true,
      approve,
    }).runtime.run(session, "Go.");
    await asked;
    const { runtime } = testAgent(scriptedModel([done]), [note().tool], {
      stores,
      gate: askingGate,
      attended: true,
      approve: approveAll,
    });
    expect((await (await runtime.resume(session)).result).problem).toContain("is in use");
    await other.crash();
    const run = await runtime.resume(session);
    const events = await eventsOf(run);
    expect([events[0]?.type, events.filter(isEnd).map(({ type }) => type), (await run.result).reason]).toEqual([
      "RunStarted",
      ["RunComplete"],
      "answered",
    ]);
  });

  test("of a complete run is refused with a sentence, and sends no request", async () => {
    const model = scriptedModel([], { afterLast: done });
    const agent = testAgent(model);
    await agent.run();
    await expect(agent.runtime.resume(session)).rejects.toThrow(
      "is complete (answered). Give the session a new prompt to continue.",
    );
    expect(model.requests).toHaveLength(1);
  });
});

test("subagents of two runs have different sessions, even if the ids of their calls are equal", async () => {
  const model = scriptedModel([], {
    afterLast({ text }) {
      if (!text.includes("PARENT")) return { text: "The child is done." };
      if (text.includes("The child is done.")) return done;
      return {
        calls: [{ id: "call_1", tool: "spawn", input: { task: text.includes("TWO") ? "second task" : "first task" } }],
      };
    },
  });
  const { runtime, clock } = testAgent(model, [], { subagents: true });
  const children: string[] = [];
  runtime.bus.subscribe((event) => void (event.type === "ChildStarted" && children.push(event.childId)));
  await runtime.run(session, "PARENT ONE").result;
  await runtime.stores.sessions.remove(session, clock.now());
  await runtime.run(session, "PARENT TWO").result;
  expect([children.length, new Set(children).size]).toEqual([2, 2]);
  expect(
    model.requests
      .filter(({ text }) => !text.includes("PARENT"))
      .map(({ text }) => [text.includes("first task"), text.includes("second task")]),
  ).toEqual([
    [true, false],
    [false, true],
  ]);
});
