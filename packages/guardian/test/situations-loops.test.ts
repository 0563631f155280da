import { defaultPolicy } from "@sheepdog/guardian";
import {
  asTurns,
  call,
  compacted,
  fails,
  message,
  type PlayResult,
  play,
  restart,
  type ScriptStep,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

/** The run is told, told again or refused, and in the end stopped. */
function climbs(script: readonly ScriptStep[], options: Parameters<typeof play>[1] = {}): PlayResult {
  const played = play(script, options);
  expect(played.summary[0], "the first word").toMatch(/ (hint|warn)$/);
  expect(played.summary.length, `only said ${played.summary.join(", ")}`).toBeGreaterThan(1);
  expect(played.stop, `said ${played.summary.join(", ")}, and went on`).toBeDefined();
  return played;
}

/**
 * The calls are merely similar: the run is told and told again. It is refused or stopped only when a second opinion
 * agrees.
 */
function climbsIfConfirmed(script: readonly ScriptStep[], options: Parameters<typeof play>[1] = {}): PlayResult {
  const unconfirmed = play(script, options);
  expect([unconfirmed.refused, unconfirmed.stop], "force on similar calls").toEqual([0, undefined]);
  const policy = { ...defaultPolicy, secondOpinion: "before-force" } as const;
  return climbs(script, { ...options, policy, opinion: () => ({ verdict: "stuck", advice: "Ask the user." }) });
}

/** The 0-based call at which the first word was said. */
function firstWordAt(played: PlayResult): number {
  return played.interventions[0]?.call ?? Number.POSITIVE_INFINITY;
}

const listing = "README.md\npackage.json\nsrc\ntest\ntsconfig.json";
const failingTest =
  "FAIL src/sum.test.ts\n  ✕ adds numbers (4 ms)\n    Expected: 3\n    Received: 4\nTests: 1 failed, 11 passed";

describe("true loops climb the ladder", () => {
  test("1: the same call with the same success", () => {
    const played = climbs(times(10, () => call("list_dir", { path: "." }, listing)));
    expect(played.summary).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop block", "doom-loop halt"]);
    expect(firstWordAt(played)).toBe(2);
    expect(played.refused).toBe(3);
  });

  test("2: the same call with the same error", () => {
    const played = climbs(
      times(10, () =>
        fails("edit", { path: "a.ts", old_string: "let x", new_string: "const x" }, "old_string not found in a.ts"),
      ),
    );
    expect(played.summary).toEqual([
      "failing-call hint",
      "failing-call warn",
      "failing-call block",
      "failing-call halt",
    ]);
    expect(firstWordAt(played)).toBe(2);
  });

  test("3: argument keys in another order each time", () => {
    const orders = [
      { query: "retry policy", limit: 10, sort: "date" },
      { limit: 10, sort: "date", query: "retry policy" },
      { sort: "date", query: "retry policy", limit: 10 },
    ];
    expect(firstWordAt(climbs(times(10, (i) => call("search", orders[i % 3], "3 results: a.md b.md c.md"))))).toBe(2);
  });

  test("4: spelled differently: spaces, slashes, quotes, default values", () => {
    const spellings = [
      { path: "src" },
      { path: "src/" },
      { path: "./src" },
      { path: " src " },
      { path: "src", recursive: false },
      { path: '"src"' },
    ];
    expect(
      firstWordAt(climbs(times(14, (i) => call("list_dir", spellings[i % spellings.length], listing)))),
    ).toBeLessThanOrEqual(3);
  });

  test("5: A, B, A, B of reads with stable results", () => {
    const played = climbs(
      times(8, () => [
        call("read", { path: "a.ts" }, "export const a = 1;\n"),
        call("read", { path: "b.ts" }, "export const b = 2;\n"),
      ]),
    );
    expect(played.summary[0]).toBe("cycle hint");
    expect(firstWordAt(played)).toBeLessThanOrEqual(5);
  });

  test("6: read, failing edit, failing test, and over again", () => {
    const played = climbs(
      times(10, () => [
        call("read", { path: "sum.ts" }, "export const sum = (a, b) => a + b + 1;"),
        fails("edit", { path: "sum.ts", old: "a+b+1", new: "a+b" }, "no match for the given text"),
        fails("bash", { command: "npm test" }, failingTest),
      ]),
    );
    expect(firstWordAt(played)).toBeLessThanOrEqual(8);
  });

  test.each([4, 5, 6, 7, 8])("7: a cycle of %i different calls", (period) => {
    const steps = [
      call("get_plan", { id: 7 }, "1. search 2. open 3. close"),
      call("search", { query: "timeout handling" }, "net.ts:14 retry.ts:80"),
      call("open_file", { path: "net.ts" }, "export function connect(host: string) {}"),
      call("view_outline", { path: "net.ts" }, "connect, close, retry"),
      call("open_file", { path: "retry.ts" }, "export function retry(times: number) {}"),
      call("view_outline", { path: "retry.ts" }, "retry, wait, jitter"),
      call("search", { query: "connection closed" }, "net.ts:90"),
      call("read_notes", { page: "status" }, "connection work is open"),
    ].slice(0, period);
    const played = climbs(times(9, () => steps));
    expect(played.summary[0]).toMatch(/^(cycle|no-progress)/);
    expect(firstWordAt(played)).toBeLessThanOrEqual(2 * period);
  });

  test("8: the same failing test with another harmless peek between", () => {
    const played = climbs(
      times(10, (i) => [
        fails("bash", { command: "npm test" }, failingTest),
        call("read", { path: `src/file${i}.ts` }, `export const name${i} = ${i * 17};`),
      ]),
    );
    expect(firstWordAt(played)).toBe(4);
  });

  test("9: the same call every eighth call over a long run", () => {
    const topics = ["auth", "billing", "cart", "delivery", "email", "files", "groups"];
    const played = climbs(
      times(14, (i) => [
        call("search", { query: "deployment owner" }, "owner: unknown"),
        ...topics.map((topic) =>
          call("read", { path: `docs/${topic}-${i}.md` }, `${topic} chapter ${i}: ${topic}${i} alpha${i} beta${i * 3}`),
        ),
      ]),
    );
    expect(firstWordAt(played)).toBeLessThanOrEqual(24);
  });

  test("10: reworded searches, the same empty answer each time", () => {
    const words = [
      "refund",
      "reimbursement",
      "money back",
      "return payment",
      "chargeback",
      "repayment",
      "credit note",
      "compensation",
    ];
    climbsIfConfirmed(
      times(40, (i) =>
        call(
          "search_docs",
          { query: `${words[i % words.length]} policy ${["for orders", "in shop", "rules", "terms", "how"][i % 5]}` },
          "No results found.",
        ),
      ),
    );
  });

  test("11: the same error whatever the arguments are", () => {
    const played = climbsIfConfirmed(
      times(14, (i) =>
        fails(
          "fetch_url",
          { url: `https://api.example.com/v1/${["users", "orders", "items", "carts"][i % 4]}/${i}` },
          "401 Unauthorized: token expired",
        ),
      ),
    );
    expect(played.summary[0]).toBe("failing-tool hint");
    expect(played.interventions[0]?.message).toMatch(/ask for access/);
  });

  test("12: sibling tools failing with the same root error", () => {
    const tools = ["read_file", "list_directory", "search_files", "get_file_info"];
    climbsIfConfirmed(
      times(24, (i) =>
        fails(
          tools[i % 4] as string,
          { path: `/mnt/share/${["docs", "img", "src"][i % 3]}` },
          "EHOSTUNREACH: share is not mounted",
        ),
      ),
    );
  });

  test("13: tools that do not exist, with changing arguments and near-miss names", () => {
    const names = ["web-search", "websearch", "WebSearch", "search_web"];
    const played = climbsIfConfirmed(
      times(14, (i) =>
        fails(names[i % 4] as string, { q: `topic ${i}` }, `Unknown tool: ${names[i % 4]}`, "unknown-tool"),
      ),
      { tools: [{ name: "web_search" }, { name: "read_file" }] },
    );
    expect(played.interventions[0]?.message).toContain('"web_search"');
  });

  test("14: invalid arguments again and again", () => {
    climbsIfConfirmed(
      times(12, (i) =>
        fails(
          "create_event",
          { title: `Meeting ${i}`, when: "tomorrow" },
          "invalid arguments: 'start' is required and must be an ISO date",
          "invalid-arguments",
        ),
      ),
    );
  });

  test("15: reworded questions, no new information", () => {
    const queries = [
      "who maintains the payment service",
      "payment service maintainer name",
      "maintainer of service for payment",
      "owner who maintains payment service",
      "payment service: who is maintainer",
      "name the maintainer, payment service",
    ];
    const answer =
      "Top hit: Service catalogue (2021). The catalogue lists services by team; see the intranet for " +
      "owners. Last updated by platform team.";
    expect(
      firstWordAt(climbsIfConfirmed(times(14, (i) => call("web_search", { query: queries[i % 6] }, answer)))),
    ).toBeLessThanOrEqual(4);
  });

  test("16: numeric creep without new content", () => {
    const found = "src/net.ts:14: throw new TimeoutError(host)";
    expect(
      firstWordAt(
        climbsIfConfirmed(
          times(14, (i) => call("bash", { command: `grep -B${(i + 1) * 10} TimeoutError src/net.ts` }, found)),
        ),
      ),
    ).toBeLessThanOrEqual(4);
  });

  test("17: a paging sweep that wraps and starts over with shifted offsets", () => {
    const lines = Array.from(
      { length: 600 },
      (_, i) => `${i} ${["alpha", "beta", "gamma", "delta", "omega"][i % 5]}${i * 7} value${i * 13}`,
    );
    const sweep = (shift: number) =>
      times(6, (i) =>
        call(
          "read",
          { path: "data.txt", offset: i * 100 + shift, limit: 100 },
          lines.slice(i * 100 + shift, i * 100 + shift + 100).join("\n"),
        ),
      );
    const played = climbsIfConfirmed([0, 10, 5, 15, 20, 8, 12].flatMap(sweep));
    expect(firstWordAt(played)).toBeGreaterThan(5);
    expect(firstWordAt(played)).toBeLessThanOrEqual(14);
  });

  test("18: the same unchanged file in overlapping slices", () => {
    const lines = Array.from(
      { length: 120 },
      (_, i) => `function handler${i}(request${i * 3}) { return route${i * 5}; }`,
    );
    climbsIfConfirmed(
      times(30, (i) =>
        call(
          "read",
          { path: "server.ts", start: (i * 7) % 20, end: 100 + ((i * 7) % 20) },
          lines.slice((i * 7) % 20, 100 + ((i * 7) % 20)).join("\n"),
        ),
      ),
    );
  });

  test("19: the same content written to alternating paths", () => {
    climbs(
      times(8, () => [
        call("write", { path: "config.yaml", content: "port: 80\nhost: example\n" }, "ok"),
        call("write", { path: "config.yml", content: "port: 80\nhost: example\n" }, "ok"),
      ]),
    );
  });

  test("20: an edit undone and redone", () => {
    const edit = (from: string, to: string) =>
      call("edit", { path: "a.ts", old_string: from, new_string: to }, "The file a.ts has been updated.");
    climbs(times(10, () => [edit("let total = 0", "const total = 0"), edit("const total = 0", "let total = 0")]));
  });

  test("20: a formatter reverts and the model applies it again", () => {
    climbs(
      times(12, () => [
        call("edit", { path: "a.ts", old_string: "x = 'a'", new_string: 'x = "a"' }, "The file a.ts has been updated."),
        call("bash", { command: "npx prettier --write a.ts" }, "a.ts 41ms"),
      ]),
    );
  });

  test("21: an edit that reports success and changes nothing", () => {
    climbs(
      times(10, () =>
        call("apply_patch", { path: "a.ts", patch: "@@ -1 +1 @@\n-foo\n+bar" }, { changed: false, diff: "" }),
      ),
    );
  });

  test("22: an applied change applied again", () => {
    climbs(
      times(10, () =>
        call("write_file", { path: "LICENSE", content: "MIT License\n\nCopyright…" }, "Wrote 1,071 bytes"),
      ),
    );
  });

  test.each([
    ["timestamp", (i: number) => `status: queued\nchecked at 2026-03-0${(i % 9) + 1}T10:0${i % 10}:11.${i}00Z`],
    ["duration", (i: number) => `3 files scanned, nothing found (took ${i + 1}.${i}3s)`],
    ["pid", (i: number) => `server already running, pid ${4100 + i * 37}`],
    ["request id", (i: number) => `{"items":[],"request_id":"req_${(i * 7919).toString(36)}x${i}"}`],
    [
      "nonce wrapper",
      (i: number) =>
        `<<<EXTERNAL id="${(0xdeadbeef + i * 7919).toString(16)}">>>\nno such page here, try later\n<<<END ` +
        `id="${(0xdeadbeef + i * 7919).toString(16)}">>>`,
    ],
    ["footer", (i: number) => `export const a = 1;\n[read ${i + 2}× this session]`],
    ["temporary path", (i: number) => `wrote report to /tmp/tmp${(i * 48271).toString(36)}/report.html`],
  ])("23: results that differ in noise only: %s", (_, result) => {
    expect(firstWordAt(climbs(times(12, (i) => call("inspect", { what: "status" }, result(i)))))).toBe(2);
  });

  test("24: a message sent again and again under fresh ids", () => {
    const played = climbs(
      times(8, (i) =>
        call(
          "send_email",
          { to: "ops@example.com", subject: "Build is red", body: "The build on main is red." },
          `Message sent. id: <${(i * 104729).toString(16)}@mail>`,
        ),
      ),
    );
    expect(played.summary).toEqual(["side-effect-repeat hint", "side-effect-repeat block", "side-effect-repeat halt"]);
    expect(firstWordAt(played)).toBe(2);
  });

  test("24: the person's turns between excuse no sending", () => {
    const script = times(6, (i) => [
      message(),
      call("send_money", { to: "DE89 3704", amount: 100 }, `Transfer ${i + 1000} completed`),
    ]);
    expect(play(script).summary.slice(0, 3)).toEqual([
      "side-effect-repeat hint",
      "side-effect-repeat block",
      "side-effect-repeat halt",
    ]);
  });

  test("25: a poll without change and without waiting", () => {
    const played = climbs(times(40, () => call("get_job_status", { job: "build-41" }, "state: running")));
    expect(played.interventions[0]?.message).toMatch(/Wait once/);
  });

  test("26: a long command started again instead of being waited for", () => {
    climbs(
      times(10, (i) =>
        call("exec", { command: "npm run build:all" }, `started in background, pid ${900 + i}; still running`),
      ),
    );
  });

  test("27: a call refused by a permission again and again", () => {
    const played = play(
      times(8, () => fails("bash", { command: "rm -rf build" }, "Denied: deleting is not allowed here", "denied")),
    );
    expect(played.stop?.reason).toBe("denials");
    expect(played.summary).toEqual(["denial halt"]);
  });

  test("27: a call the guardian refuses again and again ends the run after three refusals", () => {
    const played = play(
      times(30, () => fails("edit", { path: "a.ts", old: "x", new: "y" }, "no match for the given text")),
    );
    expect(played.refused).toBe(3);
    expect(played.stop?.reason).toBe("tool_failures");
  });

  test("28: a person refused, and the same request comes back", () => {
    expect(
      play(times(8, () => fails("deploy", { target: "production" }, "The user declined this action.", "denied"))).stop
        ?.reason,
    ).toBe("denials");
  });

  test("37: many identical calls in one parallel batch", () => {
    const played = play([
      turn(...Array.from({ length: 6 }, () => call("read", { path: "a.ts" }, "export const a = 1;"))),
    ]);
    expect(played.summary).toEqual(["doom-loop hint"]);
  });

  test("38: the same parallel batch again, in another order", () => {
    const batch = [
      call("read", { path: "a.ts" }, "const a = 1"),
      call("read", { path: "b.ts" }, "const b = 2"),
      call("read", { path: "c.ts" }, "const c = 3"),
    ];
    const orders = [batch, batch.toReversed(), [batch[1], batch[0], batch[2]] as typeof batch];
    expect(climbs(times(10, (i) => turn(...(orders[i % 3] as typeof batch)))).summary[0]).toMatch(/hint$/);
  });

  test("39: a loop that spans a compaction", () => {
    const peek = () => call("read", { path: "notes.md" }, "The plan: nothing is decided yet.");
    climbs([...times(3, peek), compacted, ...times(8, peek)]);
    expect(firstWordAt(climbs([...times(2, peek), compacted, ...times(8, peek)]))).toBe(3);
  });

  test("41: a loop that spans a restart", () => {
    const step = () => fails("bash", { command: "make deploy" }, "deploy.sh: line 4: REGION: unbound variable");
    expect(firstWordAt(climbs([...times(2, step), restart, ...times(10, step)]))).toBe(2);
  });

  test("41: after a halt the next run is refused the same step at once, and ended if it insists", () => {
    const step = () => fails("bash", { command: "make deploy" }, "deploy.sh: line 4: REGION: unbound variable");
    const played = play([...times(10, step), restart, message("automatic"), ...times(5, step)]);
    expect(played.summary.filter((said) => said.endsWith("halt"))).toHaveLength(2);
  });

  test("44: the plan rewritten in new words, no status changed", () => {
    const wordings = [
      "Look at the failing test closely",
      "Examine carefully the test that fails",
      "Investigate why the test is red",
      "Study the broken test in detail",
      "Analyse what makes the test fail",
    ];
    climbsIfConfirmed(
      times(20, (i) =>
        call(
          "todo_write",
          {
            todos: [
              { content: wordings[i % 5], status: "pending" },
              { content: `${wordings[(i + 2) % 5]} then repair it`, status: "pending" },
            ],
          },
          "Todos updated.",
        ),
      ),
    );
  });

  test("45: note after note, and no action", () => {
    const played = play(
      times(70, (i) =>
        call(
          "sequentialthinking",
          {
            thought:
              `Perhaps the ${["cache", "queue", "clock", "parser"][i % 4]} number ${i} matters because of ` +
              `${i * 3}`,
            thoughtNumber: i + 1,
            nextThoughtNeeded: true,
          },
          `{"thoughtNumber":${i + 1},"nextThoughtNeeded":true}`,
        ),
      ),
    );
    expect(played.summary).toEqual(["same-call hint", "same-call warn", "same-call halt"]);
    expect(firstWordAt(played)).toBe(19);
  });

  test("46: a retry storm on an overloaded service", () => {
    const played = climbs(
      times(12, (i) =>
        fails(
          "http_get",
          { url: "https://api.example.com/items" },
          `HTTP 429 Too Many Requests, retry after ${i + 1} s`,
        ),
      ),
    );
    expect(played.interventions[0]?.message).toMatch(/Wait before trying again/);
  });

  test("48: a test that flaps while nothing else changes", () => {
    climbs(
      times(40, (i) =>
        i % 2 === 0
          ? call("bash", { command: "npm test" }, "12 passed, 0 failed")
          : fails("bash", { command: "npm test" }, failingTest),
      ),
    );
  });

  test("49: a stretch in which nothing is new", () => {
    const files = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const read = (name: string) =>
      call("read", { path: `${name}.ts` }, `export const ${name}${name} = "${name.repeat(5)}"; // file ${name}`);
    const played = climbs(
      [files, ["c", "a", "f", "b", "i", "e"], ["h", "d", "g", "a", "c", "b"], ["f", "e", "i", "h"], files, files]
        .flat()
        .flatMap((name) => asTurns(read(name))),
    );
    expect(firstWordAt(played)).toBeLessThanOrEqual(14);
  });

  test("50: the goal is reached and the agent keeps verifying", () => {
    climbs(
      times(10, () => [
        call("bash", { command: "npm test" }, "Tests: 12 passed, 12 total"),
        call("bash", { command: "git status --short" }, ""),
      ]),
    );
  });
});
