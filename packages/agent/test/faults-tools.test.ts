import { existsSync } from "node:fs";
import { link, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Model, ok, type Run, type RuntimeOptions } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { memoryStores } from "../src/stores/memory-stores.ts";
import { builtinTools } from "../src/tools/builtin-tools.ts";
import { after, around, calls, canary, done, mark, real, stored, tool, work } from "./fault-bench.ts";
import { session, trial } from "./trial.ts";

describe("63 cancelled anywhere", () => {
  const script = [
    { text: "I look. ", ...calls("read", { path: "a" }, { path: "b" }) },
    { ...calls("note", { path: "c" }) },
    { fault: { type: "status", status: 503 } },
    { text: "All is well." },
  ] satisfies readonly ScriptedTurn[];

  /** Calls `at` before and after each thing the runtime waits for, and at each event. */
  function listened(at: () => void) {
    const around =
      <A extends readonly unknown[], R>(act: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        at();
        const value = await act(...args);
        at();
        return value;
      };
    const scripted = scriptedModel(script, { afterLast: done });
    const model: Model = { ...scripted, doStream: around((options) => Promise.resolve(scripted.doStream(options))) };
    const kept = memoryStores();
    const stores = {
      ...kept,
      sessions: {
        ...kept.sessions,
        load: around(kept.sessions.load),
        claim: around(kept.sessions.claim),
        commit: around(kept.sessions.commit),
      },
      costs: { ...kept.costs, reserve: around(kept.costs.reserve), totals: around(kept.costs.totals) },
    };
    const tools = [
      tool(
        "read",
        "read",
        around(async () => ok("text")),
      ),
      tool(
        "note",
        "mutate",
        around(async () => ok("noted")),
      ),
    ];
    const gate = { decide: around(async () => ({ tier: 0, decision: "allow", reason: "a test" }) as const) };
    const tried = trial(model, tools, { stores, gate });
    tried.runtime.bus.subscribe(at);
    return tried;
  }

  test("the history stays whole, there is one end, and the session goes on", async () => {
    const reasons = new Set<string>();
    for (let n = 1; ; n += 1) {
      let passed = 0;
      let going: Run | undefined;
      let hasFired = false;
      const tried = listened(() => {
        passed += 1;
        if (passed !== n || hasFired) return;
        hasFired = true;
        queueMicrotask(() => going?.cancel());
      });
      going = tried.runtime.run(session, "Go.");
      const result = await tried.check(going);
      reasons.add(result.reason);
      expect(["cancelled", "answered"]).toContain(result.reason);
      const { isOver, count } = { isOver: !hasFired, count: passed };
      if (isOver) {
        expect(count).toBeGreaterThan(60);
        expect(result.reason).toBe("answered");
        break;
      }
      const next = tried.runtime.run(session, "Go on.");
      expect((await tried.check(next)).reason).toBe("answered");
    }
    expect(reasons).toEqual(new Set(["cancelled", "answered"]));
  });

  test("before it has begun", async () => {
    const model = scriptedModel([done]);
    const tried = trial(model);
    const run = tried.runtime.run(session, "Go.");
    run.cancel();
    expect((await tried.check(run)).reason).toBe("cancelled");
    expect(model.requests).toHaveLength(0);
  });

  const never = () => new Promise<never>(() => undefined);
  const waits: readonly (readonly [string, Partial<RuntimeOptions>])[] = [
    [
      "a person who never answers",
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
    const tried = trial(
      scriptedModel([calls("note", {}), done]),
      [tool("note", "mutate", async () => ok("noted"))],
      more,
    );
    const run = tried.runtime.run(session, "Go.");
    setTimeout(() => run.cancel(), 20);
    const ended = await Promise.race([
      run.result,
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500)),
    ]);
    expect(ended?.reason, "the run does not end").toBe("cancelled");
  });
});

describe("64 tools that break their promises", () => {
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
    ["a circle", Object.assign(new Error("round"), { self: {} })],
  ];
  test.each(thrown)("one that throws %s has failed", async (_, what) => {
    const bad = tool("bad", "unknown", async () => {
      throw what;
    });
    const tried = await after(calls("bad", {}), [bad]);
    expect(tried.result.reason).toBe("answered");
    expect((await tried.results())[0]).toMatchObject({ status: "error" });
  });

  test("one that throws at once, and one that gives back nothing", async () => {
    const bad = tool("bad", "unknown", () => {
      throw new Error("at once");
    });
    const empty = tool("empty", "unknown", () => undefined);
    const tried = await after(
      {
        calls: [
          { tool: "bad", input: {} },
          { tool: "empty", input: {} },
        ],
      },
      [bad, empty],
    );
    expect((await tried.results()).map(({ status }) => status)).toEqual(["error", "ok"]);
  });

  test("one that ignores the abort is left, and what it says later is dropped", async () => {
    let finish: (outcome: unknown) => void = () => undefined;
    const stubborn = tool("stubborn", "mutate", (_, context) => {
      context.progress("working");
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const tried = trial(scriptedModel([calls("stubborn", {}), done]), [stubborn]);
    const run = tried.runtime.run(session, "Go.");
    tried.runtime.bus.subscribe((event) =>
      event.type === "ToolStart" ? setTimeout(() => run.cancel(), 5) : undefined,
    );
    await run.result;
    const before = tried.events.length;
    finish(ok("too late"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await tried.check(run)).reason).toBe("cancelled");
    expect(tried.events).toHaveLength(before);
    expect(JSON.stringify(await stored(tried))).not.toContain("too late");
  });

  test("one that rejects after the abort is nobody's unhandled rejection", async () => {
    const late = tool(
      "late",
      "mutate",
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => setTimeout(() => reject(new Error("late")), 5)),
        ),
    );
    const tried = trial(scriptedModel([calls("late", {}), done]), [late]);
    const run = tried.runtime.run(session, "Go.");
    tried.runtime.bus.subscribe((event) =>
      event.type === "ToolStart" ? setTimeout(() => run.cancel(), 5) : undefined,
    );
    expect((await tried.check(run)).reason).toBe("cancelled");
    await new Promise((resolve) => setTimeout(resolve, 15));
  });
});

/** What the real tools answer to calls, through the loop, and that nothing is left of them. */
async function through(name: string, ...inputs: readonly unknown[]) {
  const tried = await after(calls(name, ...inputs), real());
  expect(tried.result.reason).toBe("answered");
  return tried.results();
}

describe("65 – 68 processes", () => {
  test("65 background jobs, daemons and those that ignore SIGTERM end with the command", async () => {
    const results = await through(
      "bash",
      { command: "sleep 77 & echo one" },
      { command: "setsid sh -c 'sleep 77 & sleep 77' & echo two" },
      { command: "(trap '' TERM; sleep 77) & echo three" },
    );
    expect(results.map(({ content }) => content.trim().split("\n")[0])).toEqual(["one", "two", "three"]);
  });

  test("65 a cancelled run leaves none of them", async () => {
    const tried = trial(
      scriptedModel([calls("bash", { command: "trap '' TERM; setsid sleep 77 & echo begun; sleep 77" }), done]),
      real(),
      { workspace: work },
    );
    const run = tried.runtime.run(session, "Go.");
    tried.runtime.bus.subscribe((event) =>
      event.type === "ToolStart" ? setTimeout(() => run.cancel(), 150) : undefined,
    );
    await run.result;
    expect((await tried.check(run, { mark })).reason).toBe("cancelled");
    expect((await tried.results())[0]).toMatchObject({ status: "interrupted" });
  });

  test("66 a long output is cut, and the run goes on", async () => {
    const [result] = await through("bash", { command: "yes 'sheep after sheep' | head -c 3000000" });
    expect(result?.content.length).toBeLessThan(20_000);
    expect(result?.content).toContain("left out");
  });

  test("67 what is no text is told in a sentence, without a hang", async () => {
    await writeFile(join(work, "binary"), Buffer.from([0, 1, 2, 255, 254, 0]));
    await mkdir(join(work, "folder"), { recursive: true });
    const results = await through(
      "read",
      { path: "binary" },
      { path: "folder" },
      { path: "/dev/zero" },
      { path: "/dev/stdin" },
      { path: "gone" },
    );
    expect(results.map(({ status }) => status)).toEqual(["error", "error", "error", "error", "error"]);
    const [pipe] = await through("bash", { command: "mkfifo pipe" });
    expect(pipe?.status).toBe("ok");
    expect((await through("read", { path: "pipe" }))[0]).toMatchObject({ status: "error" });
  });

  test("68 nobody answers what waits for input", async () => {
    const results = await through(
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

describe("69 results that are no JSON", () => {
  const circle: Record<string, unknown> = { name: "circle" };
  circle["self"] = circle;
  const values: readonly (readonly [string, unknown])[] = [
    ["a circle", circle],
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
    const tried = await after(
      {
        calls: [
          { tool: "give", input: {} },
          { tool: "detail", input: {} },
        ],
      },
      [tool("give", "read", async () => value), tool("detail", "read", async () => ok("fine", value))],
    );
    expect(tried.result.reason).toBe("answered");
    const results = await tried.results();
    expect(results.map(({ status }) => status)).toEqual(["ok", "ok"]);
    expect(results[0]?.content.length).toBeLessThan(20_000);
    expect(() => JSON.stringify(tried.events)).not.toThrow();
  });
});

describe("70 – 73 files", () => {
  test("70 nothing is written outside, whichever way it is tried", async () => {
    await mkdir(join(around, "work-evil"), { recursive: true });
    await writeFile(join(around, "outside.txt"), "untouched");
    await symlink(join(around, "outside.txt"), join(work, "link.txt"));
    await symlink(around, join(work, "up"));
    await link(join(around, "outside.txt"), join(work, "hard.txt"));
    const paths = [
      "../outside.txt",
      join(around, "work-evil", "x.txt"),
      "link.txt",
      "up/outside.txt",
      "a/../../outside.txt",
      `/proc/self/root${around}/outside.txt`,
      "nul\0.txt",
    ];
    const results = await through("write", ...paths.map((path) => ({ path, content: "evil" })), {
      path: "hard.txt",
      content: "mine",
    });
    expect(results.slice(0, paths.length).map(({ status }) => status)).not.toContain("ok");
    expect(await readFile(join(around, "outside.txt"), "utf8")).toBe("untouched");
    expect(existsSync(join(around, "work-evil", "x.txt"))).toBe(false);
  });

  test("70 a workspace that is gone is told", async () => {
    const gone = join(around, "gone");
    const tried = await after(
      {
        calls: [
          { tool: "bash", input: { command: "ls" } },
          { tool: "write", input: { path: "a.txt", content: "x" } },
        ],
      },
      builtinTools({ workspace: gone }),
      { workspace: gone },
    );
    expect((await tried.results()).map(({ status }) => status)).toEqual(["error", "error"]);
  });

  test("71 hostile names are only names", async () => {
    const names = ["-rf", "$(touch pwned)", ";touch pwned", "a\nb", "\u001b[2Jx", "\u202etxt.exe", "x".repeat(255)];
    await through("write", ...names.map((path) => ({ path, content: "x" })));
    const results = await through("read", ...names.map((path) => ({ path })));
    expect(results.map(({ status }) => status)).toEqual(names.map(() => "ok"));
    const [list] = await through("glob", { pattern: "*" });
    expect(list?.content).not.toContain("\u001b");
    expect(existsSync(join(work, "pwned"))).toBe(false);
  });

  test("72 edits that do not fit are errors that change nothing", async () => {
    await writeFile(join(work, "twice.txt"), "one two one\r\nno end");
    const edits = [
      { path: "twice.txt", old: "three", new: "x" },
      { path: "twice.txt", old: "one", new: "x" },
      { path: "missing.txt", old: "one", new: "x" },
    ];
    const tried = trial(scriptedModel([calls("read", { path: "twice.txt" }), calls("edit", ...edits), done]), real(), {
      workspace: work,
    });
    await tried.ask("Go.", { mark });
    expect((await tried.results()).map(({ status }) => status)).toEqual(["ok", "error", "error", "error"]);
    expect(await readFile(join(work, "twice.txt"), "utf8")).toBe("one two one\r\nno end");
  });

  test("73 parallel writes of one file are done one after the other", async () => {
    const lines = (n: number) => Array.from({ length: 60 }, (_, line) => `${n} ${line * line * 7_919}`).join("\n");
    const results = await through(
      "write",
      ...Array.from({ length: 20 }, (_, n) => ({
        path: n % 2 === 0 ? "same.txt" : "./folder/../same.txt",
        content: lines(n),
      })),
    );
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["ok"]));
    expect(await readFile(join(work, "same.txt"), "utf8")).toBe(lines(19));
    const [result] = await through("bash", { command: "ls -A | grep -c same" });
    expect(result?.content).toContain("1");
  });
});

// Not here:
// 63 "returns within 50 ms": tests measure no time. A crash at each place (SIGKILL) needs a store on disk.
// 64 all that tools can give back and throw: tools/execute-calls.test.ts, tools/to-text.test.ts.
// 66 fork bombs, files without end, floods: tools/bash.test.ts.
// 67 lines of 200 MB, sparse files: tools/read.test.ts; zip bombs: tools/web-fetch.test.ts.
// 70 links planted between check and open: tools/write.test.ts, tools/edit.test.ts; further paths: tools/paths.test.ts.
// 72 files changed since they were read, CRLF, modes, giants: tools/edit.test.ts.
