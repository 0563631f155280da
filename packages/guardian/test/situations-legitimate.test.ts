import { createGuardian, defaultPolicy } from "@sheepdog/guardian";
import {
  asTurns,
  call,
  compacted,
  fails,
  message,
  mute,
  pause,
  play,
  type ScriptStep,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

/** Not even a hint. */
function silent(script: readonly ScriptStep[], options: Parameters<typeof play>[1] = {}): void {
  expect(play(script, options).summary).toEqual([]);
}

const failingTest =
  "FAIL src/sum.test.ts\n  ✕ adds numbers (4 ms)\n    Expected: 3\n    Received: 4\nTests: 1 failed, 11 passed";

describe("legitimate repetition gets not even a hint", () => {
  test("51: the same small edit in fifty files", () => {
    silent(
      times(50, (i) =>
        call(
          "edit",
          { path: `src/module${i}.ts`, old_string: "import x from 'y'", new_string: "// MIT\nimport x from 'y'" },
          "The file has been updated.",
        ),
      ),
    );
    silent(times(50, (i) => call("bash", { command: `sed -i 's/foo/bar/' src/module${i}.ts` }, "")));
  });

  test("52: many edits to one file, each another one", () => {
    const names = [
      "parse",
      "render",
      "connect",
      "close",
      "retry",
      "measure",
      "report",
      "collect",
      "merge",
      "split",
      "join",
      "sort",
    ];
    silent(
      times(12, (i) =>
        call(
          "edit",
          {
            path: "app.ts",
            old_string: `function ${names[i]}() {\n  return null;\n}`,
            new_string: `function ${names[i]}(): ${names[(i + 1) % 12]}Result {\n  return ${names[i]}Impl();\n}`,
          },
          "The file app.ts has been updated.",
        ),
      ),
    );
  });

  test("52: A to B to C to D on the same line", () => {
    const versions = [
      "timeout = 10",
      "timeout = 30",
      "timeout = 60",
      "timeout = seconds(60)",
      "timeout = config.timeout",
      "timeout = options.timeout ?? config.timeout",
    ];
    silent(
      times(5, (i) =>
        call(
          "edit",
          { path: "net.ts", old_string: versions[i], new_string: versions[i + 1] },
          "The file net.ts has been updated.",
        ),
      ),
    );
  });

  test("52: deletions with an empty replacement", () => {
    const dead = [
      "const unusedTimer = 5;",
      "import fs from 'node:fs';",
      "function legacyPath() { return join(root, 'old'); }",
      "export type Ancient = string | number;",
    ];
    silent(
      times(4, (i) =>
        call("edit", { path: "app.ts", old_string: dead[i], new_string: "" }, "The file app.ts has been updated."),
      ),
    );
  });

  test("52: the same replacement on several identical lines, told apart by an argument", () => {
    silent(
      times(4, (i) =>
        call(
          "edit",
          { path: "app.ts", old_string: "var ", new_string: "let ", line: 10 + i * 7 },
          "The file app.ts has been updated.",
        ),
      ),
    );
  });

  test("53: twenty files read at the start", () => {
    silent(times(20, (i) => call("read", { path: `src/part${i}/index.ts` }, `export * from "./part${i}.ts";\n`)));
    silent([
      turn(
        ...Array.from({ length: 16 }, (_, i) => call("read", { path: `src/m${i}.ts` }, `export const m${i} = ${i};`)),
      ),
    ]);
    silent(
      times(4, (t) =>
        turn(
          ...Array.from({ length: 5 }, (_, i) =>
            call("read", { path: `lib/${t}-${i}.ts` }, `export const value${t}${i} = "${t * 31 + i * 17}";`),
          ),
        ),
      ),
    );
  });

  test("54: paging once through a large file", () => {
    const lines = Array.from(
      { length: 3_000 },
      (_, i) =>
        `${["user", "order", "item"][i % 3]} ${i} status ${["open", "paid", "sent"][(i * 7) % 3]} total ${i * 13}`,
    );
    silent(
      times(30, (i) =>
        call(
          "read",
          { path: "orders.csv", offset: i * 100, limit: 100 },
          lines.slice(i * 100, i * 100 + 100).join("\n"),
        ),
      ),
    );
  });

  test("54: paging once through an interface with cursors", () => {
    silent(
      times(20, (i) =>
        call(
          "list_issues",
          { repo: "app", cursor: `c${i}`, per_page: 3 },
          {
            items: [
              { id: i * 3 + 1, title: `Crash in ${i}` },
              { id: i * 3 + 2, title: `Slow ${i * 5}` },
            ],
            next: `c${i + 1}`,
          },
        ),
      ),
    );
  });

  test("54: paging once through a log whose lines look alike", () => {
    silent(
      times(20, (i) =>
        call(
          "bash",
          { command: `sed -n '${i * 50 + 1},${i * 50 + 50}p' app.log` },
          Array.from(
            { length: 50 },
            (_, k) =>
              `2026-03-01 10:${String(i).padStart(2, "0")}:${String(k).padStart(2, "0")} INFO request ` +
              `${i * 50 + k} served from node ${(i * k) % 9}`,
          ).join("\n"),
        ),
      ),
    );
  });

  test("55: a poll whose progress moves", () => {
    silent(times(20, (i) => call("get_job_status", { job: "build-41" }, `state: running, ${i * 5} % done`)));
    silent(
      times(15, (i) =>
        call(
          "get_deployment",
          { id: "d-1" },
          JSON.stringify({
            id: "d-1",
            name: "web",
            region: "eu",
            replicas: { wanted: 15, ready: i },
            image: "web:41",
            labels: { team: "shop", tier: "front" },
          }),
        ),
      ),
    );
  });

  test("55: a log that grows", () => {
    const log = Array.from(
      { length: 60 },
      (_, i) => `step ${i}: compiled ${["core", "net", "ui", "db"][i % 4]} module ${i * 3}`,
    );
    silent(times(15, (i) => call("bash", { command: "cat build.log" }, log.slice(0, 30 + i * 2).join("\n"))));
    silent(
      times(15, (i) => call("bash", { command: "tail -n 20 build.log" }, log.slice(i * 2, i * 2 + 20).join("\n"))),
    );
  });

  test("56: an unchanged status with real waiting between", () => {
    silent(times(80, () => [call("get_job_status", { job: "train-7" }, "state: running"), pause(5 * 60_000)]));
    silent(
      times(12, () => [
        call("bash", { command: "kubectl get pods" }, "web-1 ContainerCreating"),
        call("sleep", { seconds: 60 }, "", { ms: 60_000 }),
      ]),
    );
    silent(
      times(12, () =>
        call("bash", { command: "sleep 60 && kubectl get pods" }, "web-1 ContainerCreating", { ms: 60_000 }),
      ),
    );
  });

  test("56: a long job that is declared", () => {
    const policy = { ...defaultPolicy, tools: [{ match: "watch_*", off: "all" as const }] };
    silent(
      times(50, () => call("watch_training", { run: 7 }, "state: running")),
      { policy },
    );
  });

  test("57: test, edit, test, edit: identical command and failure, another edit each time", () => {
    const tries = [
      "a + b",
      "a - -b",
      "Number(a) + Number(b)",
      "[a, b].reduce(add)",
      "add(a)(b)",
      "BigInt(a) + BigInt(b)",
      "sumOf({ a, b })",
      "a.plus(b)",
    ];
    silent(
      times(8, (i) => [
        fails("bash", { command: "npm test" }, failingTest),
        call(
          "edit",
          {
            path: "src/sum.ts",
            old_string: i === 0 ? "return a" : `return ${tries[i - 1]}`,
            new_string: `return ${tries[i]}`,
          },
          "The file has been updated.",
        ),
      ]),
    );
  });

  test("58: the same test command with fewer failures each time", () => {
    silent(
      times(10, (i) =>
        fails(
          "bash",
          { command: "npm test" },
          Array.from(
            { length: 10 - i },
            (_, k) => `FAIL test ${["auth", "cart", "mail", "user", "log"][k % 5]}${k}: expected ${k}`,
          ).join("\n"),
        ),
      ),
    );
  });

  test("59: git status after every change", () => {
    silent(
      times(12, (i) => [
        call("write", { path: `src/new${i}.ts`, content: `export const n${i} = ${i * 3};` }, "ok"),
        call(
          "bash",
          { command: "git status --short" },
          Array.from({ length: i + 1 }, (_, k) => `?? src/new${k}.ts`).join("\n"),
        ),
      ]),
    );
    silent(
      times(12, (i) => [
        call(
          "edit",
          { path: "a.ts", old_string: `version ${i}`, new_string: `version ${i + 1} ${"xyz"[i % 3]}` },
          "ok",
        ),
        call("bash", { command: "git status --short" }, " M a.ts"),
      ]),
    );
  });

  test("60: a file read again after it was changed, and after a compaction", () => {
    silent(
      times(10, (i) => [
        call("read", { path: "a.ts" }, `const version = ${i};\n${"line\n".repeat(40)}`),
        call("edit", { path: "a.ts", old_string: `version = ${i}`, new_string: `version = ${i + 1}` }, "ok"),
      ]),
    );
    const read = () =>
      ["a", "b", "c"].map((name) =>
        call("read", { path: `${name}.ts` }, `export const ${name} = "${name.repeat(9)}";`),
      );
    silent(times(4, () => [...read(), compacted]));
  });

  test("61: repetition that was asked for, declared by the caller", () => {
    const script = times(10, () => call("bash", { command: "npm run bench" }, "done in 3 s"));
    silent([mute({ tool: "bash" }), ...script]);
    silent(script, { policy: { ...defaultPolicy, tools: [{ match: "bash", scale: 5 }] } });
  });

  test("62: scheduled runs that do the same calls each cycle", () => {
    silent(
      times(20, () => [
        message("scheduled"),
        call("read", { path: "HEARTBEAT.md" }, "check the queue"),
        call("get_queue", {}, "0 waiting"),
      ]),
    );
  });

  test("63: several attempts at a flaky call with back-off, then success", () => {
    const reset = fails("http_get", { url: "https://a.example/x" }, "ECONNRESET");
    const done = [
      call("http_get", { url: "https://a.example/x" }, "<html>fine</html>"),
      call("write", { path: "x.html", content: "<html>fine</html>" }, "ok"),
    ];
    silent(
      asTurns([
        reset,
        pause(2_000),
        reset,
        pause(4_000),
        reset,
        pause(8_000),
        reset,
        pause(16_000),
        reset,
        pause(32_000),
        ...done,
      ]),
    );
    silent(asTurns([reset, pause(3_000), reset, pause(9_000), reset, pause(27_000), ...done]));
  });

  test("64: pressing a key while the screen changes", () => {
    silent(
      times(10, (i) =>
        call(
          "press_key",
          { key: "Down" },
          Array.from({ length: 10 }, (_, k) => `${k === i ? ">" : " "} item`).join("\n"),
        ),
      ),
    );
    silent(
      times(10, (i) =>
        call(
          "scroll",
          { direction: "down" },
          `Section ${i}: ` +
            `${"history method results tables notes people places dates figures index".split(" ")[i]} ` +
            `of the report ${i * 7}`,
        ),
      ),
    );
    silent(
      times(12, (i) => call("type_text", { text: "abcdefghijkl"[i] }, `field: ${"abcdefghijkl".slice(0, i + 1)}`)),
    );
  });

  test("65: sending Enter to an interactive process", () => {
    const prompts = [
      "package name: (app)",
      "version: (1.0.0)",
      "description:",
      "entry point: (index.js)",
      "test command:",
      "git repository:",
      "keywords:",
    ];
    silent(times(7, (i) => call("send_input", { process: 1, input: "\n" }, prompts[i])));
  });

  test("66: the same query with other parameters", () => {
    silent(
      times(20, (i) => call("sql", { query: `SELECT sum(total) FROM orders WHERE shop = ${i}` }, `[[${i * 131}.5]]`)),
    );
    silent(
      times(20, (i) => call("bash", { command: `python process.py --shard ${i}` }, `processed ${1000 + i * 17} rows`)),
    );
  });

  test("67: a health check between different steps", () => {
    silent(
      times(8, (i) => [
        call(
          "bash",
          { command: `terraform apply -target=module.${["net", "db", "web", "dns", "cdn", "mail", "log", "auth"][i]}` },
          `Apply complete: ${i + 2} added`,
        ),
        call("health_check", { service: "gateway" }, "healthy"),
      ]),
    );
  });

  test("68: a batch in two passes", () => {
    const parts = ["auth", "cart", "mail", "user", "log", "pay", "ship", "tax", "geo", "cms"];
    const read = (version: number) =>
      parts.flatMap((part) =>
        asTurns(
          call("read", { path: `${part}.ts` }, `export const ${part} = "${part}${version}"; // ${part.repeat(3)}`),
        ),
      );
    const write = parts.flatMap((part) =>
      asTurns(call("write", { path: `${part}.ts`, content: `export const ${part} = "${part}2";` }, "ok")),
    );
    silent([...read(1), ...write, ...read(2)]);
    silent([
      ...write,
      ...parts.flatMap((part) =>
        asTurns(call("verify", { path: `${part}.ts`, content: `export const ${part} = "${part}2";` }, "matches")),
      ),
    ]);
  });

  test("69: sessions that share a process do not see each other, in turn or interleaved", () => {
    const sessions = Array.from({ length: 5 }, () => createGuardian({ now: () => 1 }));
    for (let i = 0; i < 2; i++) {
      for (const guardian of sessions) {
        guardian.beforeCall({ id: `${i}`, tool: "list_dir", args: { path: "." } });
        guardian.afterCall(`${i}`, { status: "ok", content: "a b c" });
        expect(guardian.endTurn()).toEqual([]);
      }
    }
  });

  test("70: a re-streamed reply that says the same calls again is counted once", () => {
    const guardian = createGuardian({ now: () => 1 });
    for (let i = 0; i < 2; i++) {
      for (const id of [`half${i}`, `half${i}`, `whole${i}`]) {
        guardian.observe({ type: "stream-start", at: 1 });
        guardian.beforeCall({ id, tool: "read", args: { path: "a.ts" } });
      }
      guardian.afterCall(`whole${i}`, { status: "ok", content: "const a = 1" });
      expect(guardian.endTurn()).toEqual([]);
    }
    expect(guardian.snapshot().callCount).toBe(2);
  });

  test("78: the same first steps after each message of a person", () => {
    silent(
      times(6, (i) => [
        message(),
        call("bash", { command: "git status --short" }, ""),
        call("read", { path: "AGENTS.md" }, "Be brief. Run the tests."),
        call(
          "search",
          { query: `question ${i} about ${["routes", "forms", "mails", "logs", "jobs", "users"][i]}` },
          `found in part${i}.ts`,
        ),
      ]),
    );
  });

  test("79: waiting is harmless", () => {
    silent(times(40, () => call("sleep", { seconds: 5 }, "")));
    silent(times(40, () => call("wait", {}, "ok")));
  });

  test("80: failures that are answers, while diagnosing with different commands", () => {
    silent([
      ...asTurns(fails("bash", { command: "grep -rn TimeoutError src" }, "")),
      ...asTurns(fails("bash", { command: "npm test" }, failingTest)),
      ...asTurns(fails("bash", { command: "npx eslint src" }, "src/a.ts 3:1 error Missing return type")),
      ...asTurns(call("read", { path: "src/sum.ts" }, "export const sum = (a, b) => a + b + 1;")),
      ...asTurns(fails("bash", { command: "grep -rn 'a + b' test" }, "")),
      ...asTurns(
        fails(
          "bash",
          { command: "npx tsc --noEmit" },
          "src/sum.ts(1,21): error TS7006: Parameter 'a' implicitly has an 'any' type.",
        ),
      ),
      ...asTurns(call("edit", { path: "src/sum.ts", old_string: "a + b + 1", new_string: "a + b" }, "ok")),
      ...asTurns(call("bash", { command: "npm test" }, "12 passed")),
    ]);
  });
});
