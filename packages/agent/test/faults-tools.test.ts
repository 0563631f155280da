import { existsSync } from "node:fs";
import { link, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Model, ok, type Run, type RuntimeOptions } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { memoryStores } from "../src/stores/memory-stores.ts";
import { builtinTools } from "../src/tools/builtin-tools.ts";
import {
  calls,
  canary,
  done,
  outerFolder,
  processMark,
  realTools,
  runTurn,
  storedMessages,
  tool,
  workspace,
} from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

describe("63 cancelled anywhere", () => {
  const script = [
    { text: "I look. ", ...calls("read", { path: "a" }, { path: "b" }) },
    { ...calls("note", { path: "c" }) },
    { fault: { type: "status", status: 503 } },
    { text: "All is well." },
  ] satisfies readonly ScriptedTurn[];

  /** Calls `onStep` before and after everything that the runtime waits for, and at each event. */
  function steppedAgent(onStep: () => void) {
    const stepped =
      <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        onStep();
        const value = await act(...args);
        onStep();
        return value;
      };
    const scripted = scriptedModel(script, { afterLast: done });
    const model: Model = { ...scripted, doStream: stepped((options) => Promise.resolve(scripted.doStream(options))) };
    const memory = memoryStores();
    const stores = {
      ...memory,
      sessions: {
        ...memory.sessions,
        load: stepped(memory.sessions.load),
        claim: stepped(memory.sessions.claim),
        commit: stepped(memory.sessions.commit),
      },
      costs: { ...memory.costs, reserve: stepped(memory.costs.reserve), totals: stepped(memory.costs.totals) },
    };
    const tools = [
      tool(
        "read",
        "read",
        stepped(async () => ok("text")),
      ),
      tool(
        "note",
        "mutate",
        stepped(async () => ok("noted")),
      ),
    ];
    const gate = { decide: stepped(async () => ({ tier: 0, decision: "allow", reason: "a test" }) as const) };
    const agent = testAgent(model, tools, { stores, gate });
    agent.runtime.bus.subscribe(onStep);
    return agent;
  }

  test("the history stays complete, there is one end, and the session continues", async () => {
    const reasons = new Set<string>();
    for (let cancelAt = 1; ; cancelAt += 1) {
      let steps = 0;
      let run: Run | undefined;
      let hasFired = false;
      const agent = steppedAgent(() => {
        steps += 1;
        if (steps !== cancelAt || hasFired) return;
        hasFired = true;
        queueMicrotask(() => run?.cancel());
      });
      run = agent.runtime.run(session, "Go.");
      const result = await agent.check(run);
      reasons.add(result.reason);
      expect(["cancelled", "answered"]).toContain(result.reason);
      const [isAfterLastStep, stepCount] = [!hasFired, steps];
      if (isAfterLastStep) {
        expect(stepCount).toBeGreaterThan(60);
        expect(result.reason).toBe("answered");
        break;
      }
      const next = agent.runtime.run(session, "Continue.");
      expect((await agent.check(next)).reason).toBe("answered");
    }
    expect(reasons).toEqual(new Set(["cancelled", "answered"]));
  });

  test("before it has started", async () => {
    const model = scriptedModel([done]);
    const agent = testAgent(model);
    const run = agent.runtime.run(session, "Go.");
    run.cancel();
    expect((await agent.check(run)).reason).toBe("cancelled");
    expect(model.requests).toHaveLength(0);
  });

  const never = () => new Promise<never>(() => undefined);
  const waits: readonly (readonly [string, Partial<RuntimeOptions>])[] = [
    [
      "a user who never answers",
      {
        attended: true,
        approve: never,
        gate: { decide: async () => ({ tier: 3, decision: "ask", reason: "a test" }) },
      },
    ],
    ["a gate that never decides", { gate: { decide: never } }],
    ["a provider that never answers", { models: [{ ...scriptedModel([]), doStream: never }] }],
  ];
  test.each(waits)("while waiting for %s", async (_, more) => {
    const agent = testAgent(
      scriptedModel([calls("note", {}), done]),
      [tool("note", "mutate", async () => ok("noted"))],
      more,
    );
    const run = agent.runtime.run(session, "Go.");
    setTimeout(() => run.cancel(), 20);
    const ended = await Promise.race([
      run.result,
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500)),
    ]);
    expect(ended?.reason, "the run does not end").toBe("cancelled");
  });
});

describe("64 tools that break their contract", () => {
  const thrown: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["a text", `no way with ${canary}`],
    [
      "a proxy",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
        },
      ),
    ],
    ["an error with a secret", new Error(`key ${canary} is bad`)],
    ["a cycle", Object.assign(new Error("round"), { self: {} })],
  ];
  test.each(thrown)("one that throws %s has failed", async (_, what) => {
    const bad = tool("bad", "unknown", async () => {
      throw what;
    });
    const agent = await runTurn(calls("bad", {}), [bad]);
    expect(agent.result.reason).toBe("answered");
    expect((await agent.results())[0]).toMatchObject({ status: "error" });
  });

  test("one that throws synchronously, and one that returns nothing", async () => {
    const bad = tool("bad", "unknown", () => {
      throw new Error("synchronous");
    });
    const empty = tool("empty", "unknown", () => undefined);
    const agent = await runTurn(
      {
        calls: [
          { tool: "bad", input: {} },
          { tool: "empty", input: {} },
        ],
      },
      [bad, empty],
    );
    expect((await agent.results()).map(({ status }) => status)).toEqual(["error", "ok"]);
  });

  test("one that ignores the abort is given up, and its late result is dropped", async () => {
    let finish: (outcome: unknown) => void = () => undefined;
    const stubborn = tool("stubborn", "mutate", (_, context) => {
      context.progress("working");
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const agent = testAgent(scriptedModel([calls("stubborn", {}), done]), [stubborn]);
    const run = agent.runtime.run(session, "Go.");
    agent.runtime.bus.subscribe((event) =>
      event.type === "ToolStart" ? setTimeout(() => run.cancel(), 5) : undefined,
    );
    await run.result;
    const eventCount = agent.events.length;
    finish(ok("too late"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await agent.check(run)).reason).toBe("cancelled");
    expect(agent.events).toHaveLength(eventCount);
    expect(JSON.stringify(await storedMessages(agent))).not.toContain("too late");
  });

  test("one that rejects after the abort causes no unhandled rejection", async () => {
    const late = tool(
      "late",
      "mutate",
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => setTimeout(() => reject(new Error("late")), 5)),
        ),
    );
    const agent = testAgent(scriptedModel([calls("late", {}), done]), [late]);
    const run = agent.runtime.run(session, "Go.");
    agent.runtime.bus.subscribe((event) =>
      event.type === "ToolStart" ? setTimeout(() => run.cancel(), 5) : undefined,
    );
    expect((await agent.check(run)).reason).toBe("cancelled");
    await new Promise((resolve) => setTimeout(resolve, 15));
  });
});

/** The results of calls to the built-in tools in a run, which is checked to leave no process behind. */
async function resultsOf(name: string, ...inputs: readonly unknown[]) {
  const agent = await runTurn(calls(name, ...inputs), realTools());
  expect(agent.result.reason).toBe("answered");
  return agent.results();
}

describe("65 – 68 processes", () => {
  test("65 background jobs, daemons and processes that ignore SIGTERM are killed with the command", async () => {
    const results = await resultsOf(
      "bash",
      { command: "sleep 77 & echo one" },
      { command: "setsid sh -c 'sleep 77 & sleep 77' & echo two" },
      { command: "(trap '' TERM; sleep 77) & echo three" },
    );
    expect(results.map(({ content }) => content.trim().split("\n")[0])).toEqual(["one", "two", "three"]);
  });

  test("65 a cancelled run leaves no process behind", async () => {
    const agent = testAgent(
      scriptedModel([calls("bash", { command: "trap '' TERM; setsid sleep 77 & echo started; sleep 77" }), done]),
      realTools(),
      { workspace },
    );
    const run = agent.runtime.run(session, "Go.");
    agent.runtime.bus.subscribe((event) =>
      event.type === "ToolStart" ? setTimeout(() => run.cancel(), 150) : undefined,
    );
    await run.result;
    expect((await agent.check(run, { processMark })).reason).toBe("cancelled");
    expect((await agent.results())[0]).toMatchObject({ status: "interrupted" });
  });

  test("66 a long output is cut, and the run continues", async () => {
    const [result] = await resultsOf("bash", { command: "yes 'sheep after sheep' | head -c 3000000" });
    expect(result?.content.length).toBeLessThan(20_000);
    expect(result?.content).toContain("left out");
  });

  test("67 anything but a text file is refused with a sentence, without a hang", async () => {
    await writeFile(join(workspace, "binary"), Buffer.from([0, 1, 2, 255, 254, 0]));
    await mkdir(join(workspace, "folder"), { recursive: true });
    const results = await resultsOf(
      "read",
      { path: "binary" },
      { path: "folder" },
      { path: "/dev/zero" },
      { path: "/dev/stdin" },
      { path: "gone" },
    );
    expect(results.map(({ status }) => status)).toEqual(["error", "error", "error", "error", "error"]);
    const [pipe] = await resultsOf("bash", { command: "mkfifo pipe" });
    expect(pipe?.status).toBe("ok");
    expect((await resultsOf("read", { path: "pipe" }))[0]).toMatchObject({ status: "error" });
  });

  test("68 a command that waits for input gets none", async () => {
    const results = await resultsOf(
      "bash",
      { command: 'cat; read -r x; echo "got [$x]"' },
      { command: "test -t 0 || echo no terminal" },
    );
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining("got []"),
      expect.stringContaining("no terminal"),
    ]);
  });
});

describe("69 results that are not JSON", () => {
  const cycle: Record<string, unknown> = { name: "cycle" };
  cycle["self"] = cycle;
  const values: readonly (readonly [string, unknown])[] = [
    ["a cycle", cycle],
    ["a bigint", { n: 10n }],
    ["a date", new Date(0)],
    ["a map", new Map([["key", canary]])],
    ["a symbol", Symbol("x")],
    [
      "a getter that throws",
      {
        get bad() {
          throw new Error("no");
        },
      },
    ],
    ["a million keys", Object.fromEntries(Array.from({ length: 1_000_000 }, (_, key) => [key, key]))],
    ["a function", () => 1],
  ];
  test.each(values)("%s becomes text, also in the details", async (_, value) => {
    const agent = await runTurn(
      {
        calls: [
          { tool: "give", input: {} },
          { tool: "detail", input: {} },
        ],
      },
      [tool("give", "read", async () => value), tool("detail", "read", async () => ok("fine", value))],
    );
    expect(agent.result.reason).toBe("answered");
    const results = await agent.results();
    expect(results.map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(results[0]?.content.length).toBeLessThan(20_000);
    expect(() => JSON.stringify(agent.events)).not.toThrow();
  });
});

describe("70 – 73 files", () => {
  test("70 nothing is written outside, whatever path is tried", async () => {
    await mkdir(join(outerFolder, "work-evil"), { recursive: true });
    await writeFile(join(outerFolder, "outside.txt"), "untouched");
    await symlink(join(outerFolder, "outside.txt"), join(workspace, "link.txt"));
    await symlink(outerFolder, join(workspace, "up"));
    await link(join(outerFolder, "outside.txt"), join(workspace, "hard.txt"));
    const paths = [
      "../outside.txt",
      join(outerFolder, "work-evil", "x.txt"),
      "link.txt",
      "up/outside.txt",
      "a/../../outside.txt",
      `/proc/self/root${outerFolder}/outside.txt`,
      "nul\0.txt",
    ];
    const results = await resultsOf("write", ...paths.map((path) => ({ path, content: "evil" })), {
      path: "hard.txt",
      content: "mine",
    });
    expect(results.slice(0, paths.length).map(({ status }) => status)).not.toContain("ok");
    expect(await readFile(join(outerFolder, "outside.txt"), "utf8")).toBe("untouched");
    expect(existsSync(join(outerFolder, "work-evil", "x.txt"))).toBe(false);
  });

  test("70 a missing workspace is reported", async () => {
    const gone = join(outerFolder, "gone");
    const agent = await runTurn(
      {
        calls: [
          { tool: "bash", input: { command: "ls" } },
          { tool: "write", input: { path: "a.txt", content: "x" } },
        ],
      },
      builtinTools({ workspace: gone }),
      { workspace: gone },
    );
    expect((await agent.results()).map(({ status }) => status)).toEqual(["error", "error"]);
  });

  test("71 hostile names are treated as names only", async () => {
    const names = ["-rf", "$(touch pwned)", ";touch pwned", "a\nb", "\u001b[2Jx", "\u202etxt.exe", "x".repeat(255)];
    await resultsOf("write", ...names.map((path) => ({ path, content: "x" })));
    const results = await resultsOf("read", ...names.map((path) => ({ path })));
    expect(results.map(({ status }) => status)).toEqual(names.map(() => "ok"));
    const [list] = await resultsOf("glob", { pattern: "*" });
    expect(list?.content).not.toContain("\u001b");
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
  });

  test("72 edits that do not match are errors that change nothing", async () => {
    await writeFile(join(workspace, "twice.txt"), "one two one\r\nno end");
    const edits = [
      { path: "twice.txt", old: "three", new: "x" },
      { path: "twice.txt", old: "one", new: "x" },
      { path: "missing.txt", old: "one", new: "x" },
    ];
    const agent = testAgent(
      scriptedModel([calls("read", { path: "twice.txt" }), calls("edit", ...edits), done]),
      realTools(),
      {
        workspace,
      },
    );
    await agent.run("Go.", { processMark });
    expect((await agent.results()).map(({ status }) => status)).toEqual(["ok", "error", "error", "error"]);
    expect(await readFile(join(workspace, "twice.txt"), "utf8")).toBe("one two one\r\nno end");
  });

  test("73 parallel writes of one file run one after the other", async () => {
    const lines = (n: number) => Array.from({ length: 60 }, (_, line) => `${n} ${line * line * 7_919}`).join("\n");
    const results = await resultsOf(
      "write",
      ...Array.from({ length: 20 }, (_, n) => ({
        path: n % 2 === 0 ? "same.txt" : "./folder/../same.txt",
        content: lines(n),
      })),
    );
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["ok"]));
    expect(await readFile(join(workspace, "same.txt"), "utf8")).toBe(lines(19));
    const [result] = await resultsOf("bash", { command: "ls -A | grep -c same" });
    expect(result?.content).toContain("1");
  });
});

// Tested elsewhere:
// 63 a crash (SIGKILL) at each step: test/durable. "Returns within 50 ms" is not tested: tests measure no time.
// 64 all that tools can return and throw: tools/execute-calls.test.ts, tools/to-text.test.ts.
// 66 fork bombs, endless files, floods of output: tools/bash-tool.test.ts.
// 67 lines of 200 MB, sparse files: tools/read-tool.test.ts; zip bombs: tools/web-fetch-tool.test.ts.
// 70 links planted between check and open: tools/write-tool.test.ts, tools/edit-tool.test.ts;
//    paths: tools/paths.test.ts.
// 72 files changed since they were read, CRLF, modes, huge files: tools/edit-tool.test.ts.
