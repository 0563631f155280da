import { defaultPolicy } from "@sheepdog/guardian";
import {
  asTurns,
  call,
  fails,
  message,
  pause,
  play,
  type ScriptStep,
  streams,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

/** What the guardian may do: nothing, only hints and warnings, or it has to notice it. */
type Expected = "silent" | "no force" | "noticed";

interface Situation {
  readonly name: string;
  readonly script: readonly ScriptStep[];
  readonly expected: Expected;
}

const silent = (name: string, script: readonly ScriptStep[]): Situation => ({ name, script, expected: "silent" });
const withoutForce = (name: string, script: readonly ScriptStep[]): Situation => ({
  name,
  script,
  expected: "no force",
});
const noticed = (name: string, script: readonly ScriptStep[]): Situation => ({ name, script, expected: "noticed" });

function check(situations: readonly Situation[]): void {
  for (const { name, script, expected } of situations) test(`${name}: ${expected}`, () => checkOne(script, expected));
}

function checkOne(script: readonly ScriptStep[], expected: Expected): void {
  const { summary, refused, stop } = play(script);
  if (expected === "silent") expect(summary).toEqual([]);
  if (expected === "noticed") expect(summary.length).toBeGreaterThan(0);
  if (expected === "no force") {
    expect([refused, stop]).toEqual([0, undefined]);
    expect(summary.filter((each) => / (?:block|halt)$/.test(each))).toEqual([]);
  }
}

const words = [
  "shepherd",
  "invoice",
  "timeout",
  "webhook",
  "latency",
  "quota",
  "ledger",
  "tenant",
  "cursor",
  "digest",
  "banner",
  "socket",
  "beacon",
  "fixture",
  "replica",
  "voucher",
];
const word = (i: number) => words[i % words.length] ?? "";
const exitOne = (tool: string, args: unknown) => fails(tool, args, "");
const exitOneInText = (tool: string, args: unknown) => call(tool, args, "[exit code 1]");

describe("a search that finds nothing is an answer", () => {
  check([
    withoutForce(
      "twelve words that grep does not find",
      times(12, (i) => exitOne("bash", { command: `grep -rn ${word(i)} src/` })),
    ),
    withoutForce(
      "rg over other folders, with the exit code in the text",
      times(12, (i) => exitOneInText("shell", { cmd: `rg -l ${word(i)} packages/${word(i + 3)}` })),
    ),
    withoutForce(
      "which of these programs are installed",
      times(12, (i) => exitOne("terminal", { command: `which ${word(i)}ctl` })),
    ),
    withoutForce(
      "pgrep and pkill of processes that are gone",
      times(10, (i) => exitOne("exec", { command: `pgrep -f ${word(i)}-worker` })),
    ),
    withoutForce(
      "files that test says do not exist",
      times(10, (i) => exitOne("run_command", { command: `test -f /etc/${word(i)}.conf` })),
    ),
    withoutForce(
      "find without a match",
      times(10, (i) => call("bash", { command: `find . -name '${word(i)}.yaml'` }, "")),
    ),
    withoutForce(
      "a search tool that says it found nothing",
      times(10, (i) => call("search_code", { query: `class ${word(i)}` }, "No results found.")),
    ),
    noticed(
      "the very same search again and again",
      times(8, () => exitOne("bash", { command: "grep -rn shepherd src/" })),
    ),
  ]);
});

describe("what a tool is asked for decides its kind", () => {
  const inbox = (i: number) => `3 messages: ${word(i)} from Ada, ${word(i + 1)} from Bo, ${word(i + 2)} from Cy`;
  check([
    silent(
      "reading messages with a tool named message",
      times(8, (i) => call("message", { action: "read", channel: `team-${word(i)}` }, inbox(i))),
    ),
    silent(
      "polling a process whose output grows",
      times(12, (i) => call("process", { action: "poll", id: "p1" }, `compiled ${i * 7} of 84 modules`)),
    ),
    silent(
      "viewing files with an editor tool",
      times(10, (i) =>
        call("str_replace_editor", { command: "view", path: `src/${word(i)}.ts` }, `export const ${word(i)} = ${i};`),
      ),
    ),
    silent(
      "builds under timeout between edits",
      times(8, (i) => [
        call("edit", { path: `src/${word(i)}.ts`, old: `a${i}`, new: `b${i}` }, "ok"),
        call("bash", { command: "timeout 60 npm test" }, "3 failed, 9 passed"),
      ]),
    ),
    silent(
      "installing behind env and nohup, then the same check",
      times(6, (i) => [
        call(
          "bash",
          { command: `env DEBIAN_FRONTEND=noninteractive apt-get install -y lib${word(i)}` },
          `Setting up lib${word(i)}`,
        ),
        call("bash", { command: "nohup make check" }, "make: *** [check] Error 2"),
      ]),
    ),
    noticed(
      "reading the same channel for ever",
      times(10, () => call("message", { action: "read", channel: "team" }, inbox(1))),
    ),
  ]);
});

describe("what is repeated once for each item is a second pass", () => {
  const file = (i: number) =>
    call("read_file", { path: `src/${word(i)}.ts` }, `export function ${word(i)}() { return ${i}; }`);
  const row = (i: number) => call("get_row", { sheet: "flock", row: i }, `${word(i)}, ${i * 13} kg, ear tag ${i * 7}`);
  const ticket = (i: number) => call("ticket_get", { id: `T-${i}` }, `T-${i}: ${word(i)} is broken for ${word(i + 5)}`);
  check([
    withoutForce("ten files, each read twice", [...times(10, file), ...times(10, file)]),
    withoutForce("twelve rows of a sheet, compared in a second pass", [...times(12, row), ...times(12, row)]),
    withoutForce("ten tickets, read again before they are answered", [...times(10, ticket), ...times(10, ticket)]),
    noticed(
      "ten files, each read five times",
      times(50, (i) => file(i % 10)),
    ),
  ]);
});

describe("messages that differ in substance are work", () => {
  check([
    withoutForce(
      "a progress message for each step",
      times(20, (i) => call("send_message", { to: "ops", text: `Progress: ${i + 1} of 20` }, "sent")),
    ),
    withoutForce(
      "one e-mail for each finding to the same address",
      times(10, (i) =>
        call(
          "email_send",
          { to: "lead@example.com", subject: `Finding: ${word(i)}`, body: `The ${word(i)} has no owner.` },
          "Queued.",
        ),
      ),
    ),
    withoutForce(
      "comments on one issue, each about another file",
      times(10, (i) =>
        call(
          "add_comment",
          { issue: 12, body: `In ${word(i)}.ts line ${i * 9} the check is missing.` },
          "Comment added.",
        ),
      ),
    ),
    noticed(
      "the same message five times",
      times(5, () => call("send_message", { to: "ops", text: "The deployment is done." }, "sent")),
    ),
  ]);
});

describe("a message of a person resets reads", () => {
  const weather = call("weather", { city: "Oslo" }, "4 degrees, rain");
  const balance = call("get_balance", { account: "A-1" }, "1,204.50 EUR");
  const status = call("bash", { command: "git status --short" }, " M src/app.ts");
  check([
    silent(
      "the weather, asked for five times",
      times(5, () => [message(), weather]),
    ),
    silent(
      "a balance, asked for again",
      times(5, () => [message(), balance]),
    ),
    silent(
      "the state of the repository, after each question",
      times(5, () => [message(), status]),
    ),
  ]);
});

describe("volatile figures are no news", () => {
  const query = (i: number) =>
    call(
      "run_query",
      { sql: "select * from sheep" },
      { rows: [], durationMs: 3 + i * 2, startedAt: 1_700_000_000_000 + i * 977 },
    );
  const api = (i: number) =>
    call(
      "http_get",
      { url: "/api/flock" },
      { status: "idle", elapsed_ms: 12 + i * 5, request_id: `req_${(i * 7919).toString(36)}` },
    );
  const cell = (i: number) =>
    call(
      "execute_cell",
      { cell: 4 },
      { output: "KeyError: 'ear_tag'", execution_count: 10 + i, duration_seconds: 0.1 * i },
    );
  check([
    noticed("a query with its duration", times(8, query)),
    noticed("a status with its request id", times(8, api)),
    noticed("a notebook cell with its execution count", times(8, cell)),
    silent(
      "a tool whose only content is the time that has passed",
      times(8, (i) => call("stopwatch_read", {}, { elapsed_ms: 1_000 + i * 1_713 })),
    ),
  ]);
});

describe("laps of several tools with short answers count", () => {
  check([
    noticed(
      "three unknown tools in a circle",
      times(12, () => [
        call("focus_window", { id: 1 }, "ok"),
        call("press_key", { key: "F5" }, "ok"),
        call("take_note", { text: "again" }, "ok"),
      ]),
    ),
    noticed(
      "lights on, scene, lights off",
      times(10, () => [
        call("lights", { state: "on" }, "done"),
        call("scene", { name: "evening" }, "done"),
        call("lights", { state: "off" }, "done"),
        call("blinds", { to: 40 }, "done"),
      ]),
    ),
    noticed(
      "the same text by telegram",
      times(5, () => call("telegram", { to: "ada", text: "The flock is back." }, "ok")),
    ),
  ]);
});

describe("no force on evidence that is only similar", () => {
  check([
    withoutForce(
      "similar questions with similar answers",
      times(14, (i) =>
        call(
          "ask_docs",
          { question: `How do I configure the ${word(i)} of the flock service?` },
          `The ${word(i)} is described in chapter ${i + 2}: set flock.${word(i)} and restart the service.`,
        ),
      ),
    ),
    withoutForce(
      "similar failures of different calls",
      times(12, (i) =>
        fails("http_get", { url: `/v2/flocks/${word(i)}/members` }, `404 Not Found: no flock is named ${word(i)}`),
      ),
    ),
    withoutForce(
      "reworded searches that find the same first page",
      times(12, (i) =>
        call(
          "web_search",
          { query: `best ${word(i)} for sheep farms` },
          `1. Sheep farming guide 2. Pasture rotation 3. ${word(i)} reviews`,
        ),
      ),
    ),
  ]);
});

describe("equal lines in quoted logs, fences and fixtures", () => {
  const line = "2026-05-01 12:00:00 WARN flock: no answer from barn 7, trying again";
  check([
    withoutForce("a log in a fence", [
      streams(`Here is the log:\n\n\`\`\`\n${`${line}\n`.repeat(8)}\`\`\`\n\nBarn 7 is down.`),
    ]),
    withoutForce("a fixture with equal rows", [streams(`\`\`\`csv\n${"sheep,white,42\n".repeat(40)}\`\`\`\n`)]),
    withoutForce("a quoted log", [streams(`${`> ${line}\n`.repeat(8)}\nThat is all of it.`)]),
    noticed("a line that never ends, outside of a fence", [streams(`${line}\n`.repeat(400))]),
    noticed("a line that never ends, inside of a fence", [streams(`\`\`\`\n${`${line}\n`.repeat(800)}`)]),
  ]);
});

test("one turn with all searches is one answer", () => {
  const batch = turn(...Array.from({ length: 12 }, (_, i) => exitOne("bash", { command: `grep -rn ${word(i)} src/` })));
  expect(play([batch]).summary).toEqual([]);
});

describe("a move that only says that it was made", () => {
  const press = (key: string) => call("press", { key }, "ok");
  check([
    withoutForce(
      "pictures labelled with two keys",
      times(20, () => [press("L"), press("ArrowRight")]),
    ),
    withoutForce(
      "a long page",
      times(30, () => call("browser_scroll", { direction: "down" }, "Scrolled down by 1000 pixels")),
    ),
    withoutForce(
      "words translated again",
      times(4, () => call("translate", { to: "German", text: "sheep" }, "Schaf")),
    ),
    noticed(
      "eight payments by card",
      times(8, () => call("swipe_card_payment", { amount: 20 }, "paid")),
    ),
    noticed(
      "meetings listed again and again",
      times(8, () => call("list_zoom_meetings", {}, "Mon 10:00 shearing; Tue 11:00 lambing; Wed 9:00 market")),
    ),
  ]);
});

describe("what was tried or waited for in between leaves a doubt", () => {
  const failingTest = fails("bash", { command: "pytest -q" }, "1 failed: test_total, expected 3, got 4");
  const fixes = [
    "psql shop -c 'update prices set net = 4'",
    "helm upgrade shop ./chart",
    "redis-cli flushall",
    "ansible-playbook site.yml",
    "make generate",
    "aws s3 sync build s3://shop",
    "docker compose up -d",
    "eslint --fix src",
    "prettier --write src",
    "cmake --build out",
    "rsync -a conf/ web:conf/",
    "sysctl -w vm.max_map_count=262144",
  ];
  check([
    withoutForce(
      "twelve programs that may mend it, and the same failing test after each",
      fixes.flatMap((command, i) => asTurns([call("bash", { command }, `done in step ${i}`), failingTest])),
    ),
    withoutForce(
      "a deployment looked at every 40 seconds",
      times(12, () => [
        call("get_rollout", { app: "shop" }, "waiting for 2 of 3 replicas to be updated"),
        pause(40_000),
      ]),
    ),
    withoutForce(
      "a push after each build",
      times(8, (i) => [
        call("bash", { command: `make build VERSION=${i}` }, `built shop ${i} with digest ${i * 7919}`),
        call("bash", { command: "git push" }, `abc${i}..def${i} main -> main`),
      ]),
    ),
    noticed(
      "two calls in parallel, refused and made again",
      times(30, () => turn(call("read", { path: "a" }, "first file"), call("read", { path: "b" }, "second file"))),
    ),
  ]);

  test("two calls in parallel that are refused and made again end the run, whatever the opinion is", () => {
    const both = () => turn(call("read", { path: "a" }, "first file"), call("read", { path: "b" }, "second file"));
    for (const verdict of ["stuck", "unsure"] as const) {
      const policy = { ...defaultPolicy, secondOpinion: "before-force" } as const;
      expect(play(times(40, both), { policy, opinion: () => ({ verdict }) }).stop).toBeDefined();
    }
  });
});
