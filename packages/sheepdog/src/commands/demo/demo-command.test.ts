import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import type { AgentEvent, SavedRun } from "@sheepdog/agent";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { openStores } from "../../compose/open-stores.ts";
import { resolveHome } from "../../home.ts";

const file = scratchFolder();

/** The environment of a demo: a home that does not exist yet, and a folder for temporary files. */
async function demoEnv(): Promise<{ readonly SHEEPDOG_HOME: string; readonly TMPDIR: string }> {
  const [SHEEPDOG_HOME, TMPDIR] = [await file("home"), await file("tmp")];
  await mkdir(TMPDIR, { recursive: true });
  return { SHEEPDOG_HOME, TMPDIR };
}

type FakeIoOptions = NonNullable<Parameters<typeof fakeIo>[0]>;

async function demo(options: FakeIoOptions = {}, ...flags: string[]): Promise<FakeIo> {
  const io = fakeIo({ ...options, env: { ...(await demoEnv()), ...options.env } });
  expect(await main(["demo", ...flags], io)).toBe(0);
  expect(io.err()).toBe("");
  return io;
}

interface DemoRun {
  readonly run: SavedRun;
  readonly events: readonly AgentEvent[];
}

/** The runs that are saved in the home, oldest first. */
async function savedRuns({ env }: FakeIo): Promise<readonly DemoRun[]> {
  const home = resolveHome(env);
  const stores = await openStores(home, home.logDir);
  try {
    const runs: DemoRun[] = [];
    for (const { sessionId, lastRun } of (await stores.sessions.list()).toReversed())
      if (lastRun !== undefined) runs.push({ run: lastRun, events: await stores.events.after(sessionId, 0) });
    expect((await stores.costs.sums("model")).map(({ key, costNanoUsd }) => [key, costNanoUsd])).toEqual(
      runs.length === 0 ? [] : [["demo", 0]],
    );
    return runs;
  } finally {
    await stores.close();
  }
}

function levels(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === "GuardianRecovered") return ["recovered"];
    return event.type === "GuardianIntervention"
      ? [event.intervention.denies === undefined ? event.intervention.level : "refused"]
      : [];
  });
}

function testRuns(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "ToolEnd" && event.tool === "bash" ? [`${event.status}: ${event.content.split("\n")[0]}`] : [],
  );
}

/** The different texts that the agent tried to replace. */
function failedEdits(events: readonly AgentEvent[]): ReadonlySet<string> {
  const failed = new Set(
    events.flatMap((event) => (event.type === "ToolEnd" && event.status === "error" ? [event.callId] : [])),
  );
  return new Set(
    events.flatMap((event) =>
      event.type === "ToolStart" && failed.has(event.callId) ? [JSON.stringify(event.input)] : [],
    ),
  );
}

afterEach(() => vi.unstubAllEnvs());

describe("the demo", () => {
  test("shows one agent that recovers and one that is stopped, saves both runs, and bills nothing", async () => {
    const io = await demo();
    const [first, second, ...more] = await savedRuns(io);
    if (first === undefined || second === undefined) throw new Error("Expected two saved runs.");
    expect(more).toEqual([]);
    expect([first.run.state, first.run.reason, levels(first.events)]).toEqual([
      "completed",
      "answered",
      ["hint", "warn", "block", "refused", "recovered"],
    ]);
    expect(testRuns(first.events)).toEqual([
      ...Array(5).fill("error: expected 3 sheep, got 2"),
      "ok: all 3 sheep are there",
    ]);
    expect([second.run.state, second.run.reason]).toEqual(["error", "tool_failures"]);
    expect(levels(second.events).slice(0, 2)).toEqual(["hint", "warn"]);
    expect(levels(second.events)).toContain("refused");
    expect(levels(second.events).at(-1)).toBe("halt");
    expect(failedEdits(second.events).size).toBeGreaterThanOrEqual(4);
    const advice = "Search the settings for 30 in place of guessing the name";
    expect(io.out().replace(/\s+/g, " ")).toContain(`second opinion: stuck, "${advice}"`);
    for (const { run } of [first, second]) {
      expect(run.costNanoUsd).toBeGreaterThan(1e7);
      expect(io.out()).toContain(`$${((run.costNanoUsd ?? 0) / 1e9).toFixed(3)}`);
    }
    const shown = { ...fakeIo({ columns: 200 }), env: io.env };
    await main(["show", "last"], shown);
    expect(shown.out()).toContain(`run ${second.run.runId}`); // the second run, as the summary says
  });

  test("opens its summary with the saving, extrapolated from the last turn of the run that was stopped", async () => {
    const io = await demo();
    const second = (await savedRuns(io))[1];
    const lastTurnUsd = (second?.events.findLast((event) => event.type === "CostEvent")?.costNanoUsd ?? 0) / 1e9;
    const nightUsd = lastTurnUsd * 6 * 60 * (5 + 28 / 60); // six turns a minute, from 01:12 to 06:40
    expect(nightUsd).toBeGreaterThan(20);
    expect(io.out().replace(/\s+/g, " ")).toContain(
      `Without a guardian this loop would run from 01:12 to 06:40 and cost $${nightUsd.toFixed(2)}. ` +
        `Sheepdog ended it at $${((second?.run.costNanoUsd ?? 0) / 1e9).toFixed(3)}. ` +
        "This is extrapolated: 1,968 turns at an assumed 6 a minute, each at the cost of the last turn of this run " +
        `($${lastTurnUsd.toFixed(3)}).`,
    );
  });

  test("saves its runs and logs in the home, and removes its temporary files", async () => {
    const { env } = await demo();
    const home = resolveHome(env);
    expect(await readdir(env["TMPDIR"] ?? "")).toEqual([]);
    const sessions = (await readdir(home.logDir)).sort();
    expect(sessions).toEqual([
      expect.stringMatching(/^ses_demo_recovering_[0-9a-f]{8}$/),
      expect.stringMatching(/^ses_demo_unresponsive_[0-9a-f]{8}$/),
    ]);
    const [log = ""] = await readdir(`${home.logDir}/${sessions[0]}`);
    expect(await readFile(`${home.logDir}/${sessions[0]}/${log}`, "utf8")).toContain("all 3 sheep are there");
  });

  test("can run several times, and twice at the same time", async () => {
    const env = await demoEnv();
    const play = async () => expect(await main(["demo"], fakeIo({ env }))).toBe(0);
    await play();
    await Promise.all([play(), play()]);
    expect(await savedRuns(fakeIo({ env }))).toHaveLength(6);
  });

  test("depends on real results: without a shell it fails and says so", async () => {
    vi.stubEnv("PATH", "/nowhere");
    const execPath = vi.spyOn(process, "execPath", "get").mockReturnValue("/nowhere/node");
    const io = fakeIo({ env: await demoEnv() });
    expect(await main(["demo"], io)).toBe(1);
    execPath.mockRestore();
    expect(io.err()).toMatch(/^sheepdog: the demo failed: .+\n$/);
    expect(io.out()).not.toMatch(/2\/2|Without a guardian/);
    expect(testRuns((await savedRuns(io))[0]?.events ?? []).at(-1)).toContain("there is no bash on this machine");
  });
});

describe("the demo on a terminal", () => {
  test.each([40, 80, 100])("fits into %i columns, except for the commands to copy", async (columns) => {
    const io = await demo({ columns });
    for (const line of io.out().split("\n"))
      if (!/^ {2}sheepdog \w+ /.test(line)) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("has no colours in a pipe, with NO_COLOR or on a dumb terminal, and only ASCII on a dumb terminal", async () => {
    const piped = await demo();
    const plain = await demo({ isTTY: true, env: { NO_COLOR: "1" } }, "--fast");
    const dumb = await demo({ isTTY: true, env: { TERM: "dumb" } }, "--fast");
    for (const io of [piped, plain, dumb]) expect(io.out()).not.toContain("\u001b");
    expect(plain.out()).toMatch(/[┃✓✗❯]/);
    expect(dumb.out()).not.toMatch(/[┃✓✗❯]/);
  });

  test.each(["a newcomer", "a user with a configuration"])(
    "suggests commands that work at once for %s",
    async (who) => {
      const env = { ...(await demoEnv()), HOME: await file("me") };
      if (who !== "a newcomer") {
        await mkdir(env.SHEEPDOG_HOME);
        await writeFile(resolveHome(env).configFile, "");
      }
      const { out } = await demo({ env });
      const commands = [...out().matchAll(/^ {2}sheepdog (.+?)(?: {2}|$)/gm)].map(([, command = ""]) => command.trim());
      expect(commands).toEqual(["runs", "show last", who === "a newcomer" ? "init" : "--help", "serve"]);
      for (const command of commands) {
        const io = fakeIo({ env, isTTY: true, stdin: "\n".repeat(20) });
        const code = main(command.split(" "), io);
        if (command === "serve") {
          await expect.poll(() => io.out(), { timeout: 10_000 }).toMatch(/^http:\/\/127\.0\.0\.1:/);
          io.interrupt();
        }
        expect([await code, command]).toEqual([0, command]);
      }
    },
  );

  test("suggests commands in the form in which it was called", async () => {
    expect((await demo({ env: { npm_execpath: "/usr/lib/npm-cli.js" } })).out()).toContain("  npx sheepdog runs");
  });
});

describe("an interrupted demo", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("cancels its run on %s, exits with %i, and shows the cursor again", async (signal, code) => {
    const io = fakeIo({ isTTY: true, env: await demoEnv() });
    const ending = main(["demo"], io);
    while (!io.out().includes("Once more.")) await new Promise((resolve) => setImmediate(resolve));
    io.interrupt(signal);
    expect(await ending).toBe(code);
    expect(io.out()).toContain("cancelled");
    expect(io.out()).not.toContain("Without a guardian");
    expect(io.out().endsWith("\u001b[?25h")).toBe(true);
    expect(await readdir(io.env["TMPDIR"] ?? "")).toEqual([]);
    expect((await savedRuns(io)).map(({ run }) => run.reason)).toEqual(["cancelled"]);
  });

  test("cancels its run and removes its files when the reader of stdout is gone", async () => {
    const io = fakeIo({ env: await demoEnv() });
    const brokenPipe = Object.assign(new Error("EPIPE: write"), { code: "EPIPE" });
    const stdout: FakeIo["stdout"] = {
      write: (text, done) => (io.out().includes("Once more.") ? done?.(brokenPipe) : io.stdout.write(text, done)),
    };
    expect([await main(["demo"], { ...io, stdout }), io.err()]).toEqual([0, ""]);
    expect((await savedRuns(io)).map(({ run }) => run.reason)).toEqual(["cancelled"]);
    expect(await readdir(io.env["TMPDIR"] ?? "")).toEqual([]);
  });
});

describe("the demo without a writable folder", () => {
  test("plays without saving its runs if the home is not a folder, and says so in one sentence", async () => {
    const { TMPDIR } = await demoEnv();
    const io = fakeIo({ env: { TMPDIR, SHEEPDOG_HOME: await file("a-file", "not a folder") } });
    expect(await main(["demo"], io)).toBe(0);
    expect(io.err()).toMatch(/^sheepdog: the runs of this demo are not saved: The database .+: .+\n$/);
    expect(io.out()).toContain("Without a guardian");
    expect(io.out()).not.toMatch(/sheepdog (?:runs|show)|are saved/);
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  test("ends with one sentence if it cannot create its project", async () => {
    const io = fakeIo({ env: { ...(await demoEnv()), TMPDIR: await file("missing") } });
    expect([await main(["demo"], io), io.out()]).toEqual([1, ""]);
    expect(io.err()).toMatch(/^sheepdog: the demo cannot create a temporary folder \(ENOENT.+\n$/);
  });

  test.skipIf(process.getuid?.() === 0)("plays without saving its runs if the home is read-only", async () => {
    const { SHEEPDOG_HOME, TMPDIR } = await demoEnv();
    await mkdir(SHEEPDOG_HOME, { mode: 0o500 });
    const io = fakeIo({ env: { SHEEPDOG_HOME, TMPDIR } });
    expect(await main(["demo"], io)).toBe(0);
    expect(io.err()).toContain("the runs of this demo are not saved");
    await chmod(SHEEPDOG_HOME, 0o700);
  });
});
