import { chmod, mkdir, readdir, readFile } from "node:fs/promises";
import type { AgentEvent, SavedRun } from "@sheepdog/agent";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { openStores } from "../../compose/open-stores.ts";
import { resolveHome } from "../../home.ts";

const file = scratchFolder();

/** A home that is not made yet, and a folder for temporary files. */
async function places(): Promise<{ readonly SHEEPDOG_HOME: string; readonly TMPDIR: string }> {
  const [SHEEPDOG_HOME, TMPDIR] = [await file("home"), await file("tmp")];
  await mkdir(TMPDIR, { recursive: true });
  return { SHEEPDOG_HOME, TMPDIR };
}

type Special = Parameters<typeof fakeIo>[0];

async function demo(special: Special = {}, ...options: string[]): Promise<FakeIo> {
  const io = fakeIo({ ...special, env: { ...(await places()), ...special.env } });
  expect(await main(["demo", ...options], io)).toBe(0);
  expect(io.err()).toBe("");
  return io;
}

interface KeptRun {
  readonly run: SavedRun;
  readonly events: readonly AgentEvent[];
}

/** The runs that are in the home, in the order they began. */
async function keptRuns({ env }: FakeIo): Promise<readonly KeptRun[]> {
  const home = resolveHome(env);
  const { stores } = await openStores(home, home.logDir);
  try {
    const all: KeptRun[] = [];
    for (const { sessionId, lastRun } of (await stores.sessions.list()).toReversed())
      if (lastRun !== undefined) all.push({ run: lastRun, events: await stores.events.after(sessionId, 0) });
    expect((await stores.costs.sums("model")).map(({ key, costNanoUsd }) => [key, costNanoUsd])).toEqual(
      all.length === 0 ? [] : [["demo", 0]],
    );
    return all;
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

afterEach(() => vi.unstubAllEnvs());

describe("the demo", () => {
  test("lets one agent come round and ends another, and keeps both runs with what they cost, but charges nobody", async () => {
    const io = await demo();
    const [first, second, ...more] = await keptRuns(io);
    if (first === undefined || second === undefined) throw new Error("Two runs should be kept.");
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
    expect([second.run.state, second.run.reason, levels(second.events)]).toEqual([
      "error",
      "doom_loop",
      ["hint", "warn", "block", "refused", "refused", "refused", "halt"],
    ]);
    for (const { run } of [first, second]) {
      expect(run.costNanoUsd).toBeGreaterThan(1e7);
      expect(io.out()).toContain(`$${((run.costNanoUsd ?? 0) / 1e9).toFixed(3)}`);
    }
    const lastTurn = second.events.findLast((event) => event.type === "CostEvent")?.costNanoUsd ?? 0;
    expect(io.out().replace(/\s+/g, " ")).toContain(`20 more would have cost $${((lastTurn * 20) / 1e9).toFixed(3)}`);
    expect(io.out()).toContain(`sheepdog show ${second.run.runId}`);
  });

  test("leaves its runs and their logs in the home, and nothing among the temporary files", async () => {
    const { env } = await demo();
    const home = resolveHome(env);
    expect(await readdir(env["TMPDIR"] ?? "")).toEqual([]);
    const sessions = (await readdir(home.logDir)).sort();
    expect(sessions).toEqual([
      expect.stringMatching(/^ses_demo_comes_round_[0-9a-f]{8}$/),
      expect.stringMatching(/^ses_demo_will_not_listen_[0-9a-f]{8}$/),
    ]);
    const [log = ""] = await readdir(`${home.logDir}/${sessions[0]}`);
    expect(await readFile(`${home.logDir}/${sessions[0]}/${log}`, "utf8")).toContain("all 3 sheep are there");
  });

  test("can be watched again and again, and by two at once", async () => {
    const env = await places();
    const watch = async () => expect(await main(["demo"], fakeIo({ env }))).toBe(0);
    await watch();
    await Promise.all([watch(), watch()]);
    expect(await keptRuns(fakeIo({ env }))).toHaveLength(6);
  });

  test("goes by what happens: without a shell there is nothing to fix, and it says so", async () => {
    vi.stubEnv("PATH", "/nowhere");
    const execPath = vi.spyOn(process, "execPath", "get").mockReturnValue("/nowhere/node");
    const io = fakeIo({ env: await places() });
    expect(await main(["demo"], io)).toBe(1);
    execPath.mockRestore();
    expect(io.err()).toMatch(/^sheepdog: the demo did not go as it should: .+\n$/);
    expect(io.out()).not.toMatch(/2\/2|What was spent/);
    expect(testRuns((await keptRuns(io))[0]?.events ?? []).at(-1)).toContain("there is no bash on this machine");
  });
});

describe("on any terminal", () => {
  test.each([40, 80, 100])("it fits into %i columns, but for the commands to copy", async (columns) => {
    const io = await demo({ columns });
    for (const line of io.out().split("\n"))
      if (!/^ {2}sheepdog \w+ /.test(line)) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("it has no colour when piped, with NO_COLOR or where the terminal is dumb, and no mark that a dumb terminal lacks", async () => {
    const piped = await demo();
    const plain = await demo({ isTTY: true, env: { NO_COLOR: "1" } }, "--fast");
    const dumb = await demo({ isTTY: true, env: { TERM: "dumb" } }, "--fast");
    for (const io of [piped, plain, dumb]) expect(io.out()).not.toContain("\u001b");
    expect(plain.out()).toMatch(/[┃✓✗❯]/);
    expect(dumb.out()).not.toMatch(/[┃✓✗❯]/);
  });

  test("it says what to type as it was called itself", async () => {
    expect((await demo({ env: { npm_execpath: "/usr/lib/npm-cli.js" } })).out()).toContain("  npx sheepdog runs");
  });
});

describe("cut short", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s it ends in good order with %i, and gives the cursor back", async (signal, code) => {
    const io = fakeIo({ isTTY: true, env: await places() });
    const ending = main(["demo"], io);
    while (!io.out().includes("Once more.")) await new Promise((resolve) => setImmediate(resolve));
    io.interrupt(signal);
    expect(await ending).toBe(code);
    expect(io.out()).toContain("cancelled");
    expect(io.out()).not.toContain("What was spent");
    expect(io.out().endsWith("\u001b[?25h")).toBe(true);
    expect(await readdir(io.env["TMPDIR"] ?? "")).toEqual([]);
    expect((await keptRuns(io)).map(({ run }) => run.reason)).toEqual(["cancelled"]);
  });

  test("by a reader that goes away it ends the run and leaves nothing behind", async () => {
    const io = fakeIo({ env: await places() });
    const gone = Object.assign(new Error("EPIPE: write"), { code: "EPIPE" });
    const stdout: FakeIo["stdout"] = {
      write: (text, done) => (io.out().includes("Once more.") ? done?.(gone) : io.stdout.write(text, done)),
    };
    expect([await main(["demo"], { ...io, stdout }), io.err()]).toEqual([0, ""]);
    expect((await keptRuns(io)).map(({ run }) => run.reason)).toEqual(["cancelled"]);
    expect(await readdir(io.env["TMPDIR"] ?? "")).toEqual([]);
  });
});

describe("where nothing can be written", () => {
  test("a home that is none is told of in one sentence, and the runs go with the demo", async () => {
    const { TMPDIR } = await places();
    const io = fakeIo({ env: { TMPDIR, SHEEPDOG_HOME: await file("a-file", "not a folder") } });
    expect(await main(["demo"], io)).toBe(0);
    expect(io.err()).toMatch(/^sheepdog: these runs are not kept: The database .+ cannot be used: .+\n$/);
    expect(io.out()).toContain("What was spent");
    expect(io.out()).not.toMatch(/sheepdog (?:runs|show)|are kept/);
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  test("without a place for its project it ends with one sentence", async () => {
    const io = fakeIo({ env: { ...(await places()), TMPDIR: await file("missing") } });
    expect([await main(["demo"], io), io.out()]).toEqual([1, ""]);
    expect(io.err()).toMatch(/^sheepdog: the demo needs a folder for its files, and none can be made \(ENOENT.+\n$/);
  });

  test.skipIf(process.getuid?.() === 0)("a home that is closed to us is told of as well", async () => {
    const { SHEEPDOG_HOME, TMPDIR } = await places();
    await mkdir(SHEEPDOG_HOME, { mode: 0o500 });
    const io = fakeIo({ env: { SHEEPDOG_HOME, TMPDIR } });
    expect(await main(["demo"], io)).toBe(0);
    expect(io.err()).toContain("these runs are not kept");
    await chmod(SHEEPDOG_HOME, 0o700);
  });
});
