import { basename } from "node:path";
import type { Stores } from "@sheepdog/agent";
import { budgetsQuerySchema, budgetsSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { heldTool, openTestHome, stubbornTool, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { budgetsView } from "./budgets-view.ts";
import { runsView } from "./runs-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function testHome(): Promise<TestHome> {
  opened = await openTestHome(await file("home/x").then((path) => path.slice(0, -2)));
  return opened;
}

async function view(home: TestHome, days?: number, stores?: Stores) {
  const context = testViewContext({ home: home.home, env: home.env, stores: stores ?? home.stores });
  return budgetsSchema.parse(await budgetsView(context, budgetsQuerySchema.parse(days === undefined ? {} : { days })));
}

/** A reply takes a few milliseconds, so that the times of loops differ. */
const stubborn = { delayMs: 5, calls: [{ tool: "stubborn", input: { command: "make all" } }] };

const total = (parts: readonly { readonly workUsd: number; readonly loopUsd: number }[]) =>
  parts.reduce((sum, { workUsd, loopUsd }) => sum + workUsd + loopUsd, 0);
const loopsIn = (parts: readonly { readonly loopUsd: number }[]) =>
  parts.reduce((sum, { loopUsd }) => sum + loopUsd, 0);

test("without any run, everything is zero and nothing is limited but turns, time and context", async () => {
  const home = await testHome();
  const budgets = await view(home);
  expect(budgets.days).toHaveLength(30);
  expect([total(budgets.days), budgets.projects, budgets.models, budgets.loops]).toEqual([0, [], [], []]);
  expect(budgets.today).toEqual({ spentUsd: 0, limitUsd: null, warnUsd: null, note: "No limit of a day is set." });
  expect(budgets.perRun.note).toBe("No run has ended in this time.");
  expect(budgets.limits.map(({ scope }) => scope)).toEqual([
    "month",
    "day",
    "session",
    "run",
    "turns",
    "time",
    "tokens",
    "context",
  ]);
});

test("the sums of days, models, projects and purposes are the total of the ledger, loops included", async () => {
  const home = await testHome();
  // Each turn costs one dollar. The guardian ends this run at the eighth failure.
  const stuck = await home.runPrompt("ses_1", "Build it.", [
    ...Array.from({ length: 12 }, () => stubborn),
    { text: "" },
  ]);
  await home.runPrompt("ses_2", "Say it.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }, { text: "Done." }]);
  const ledger = (await home.stores.costs.sums("month")).reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0) / 1e9;
  expect([stuck.reason, stuck.costNanoUsd, ledger]).toEqual(["tool_failures", 8e9, 10]);
  const budgets = await view(home);
  expect([budgets.days, budgets.models, budgets.projects].map(total)).toEqual([10, 10, 10]);
  expect(budgets.purposes).toEqual([{ purpose: "turn", usd: 10 }]);
  const [loop] = budgets.loops;
  expect(budgets.loops).toEqual([
    {
      what: "make all",
      isCommand: true,
      times: 5,
      usd: expect.any(Number),
      at: expect.any(Number),
      endedBy: "guardian",
      runId: stuck.runId,
      seq: expect.any(Number),
    },
  ]);
  // The loop begins after the first call, whose turn is paid before it.
  expect(loop?.usd).toBe(7);
  expect([budgets.days, budgets.models, budgets.projects].map(loopsIn)).toEqual([7, 7, 7]);
  expect(budgets.projects.map(({ project, workspace }) => [project, workspace])).toEqual([
    [basename(home.home.dir), home.home.dir],
  ]);
  expect(budgets.today.spentUsd).toBe(10);
  expect(budgets.month.spentUsd).toBe(10);
  expect(budgets.summary).toMatch(/^\w+: \$10\.00\. Loops took \$7\.00 of it\.$/);
  expect(budgets.month.note).toMatch(/^On course for \$\d+.*, at the average of the last day\. Without loops: \$/);
  expect(budgets.perRun.note).toBe("The dearest of 2 runs cost $8.00.");
});

test("a loop that was noticed twice is one row, and every place says the same about its cost", async () => {
  const home = await testHome();
  const held = heldTool("wait");
  const wait = { calls: [{ tool: "wait", input: {} }] };
  const script = [stubborn, stubborn, stubborn, wait, ...Array.from({ length: 12 }, () => stubborn), { text: "" }];
  const run = home.runtime(script, { tools: [stubbornTool, held.tool] }).run("ses_1", "Build it.");
  await held.reached;
  run.steer("Try again."); // a message of the user ends the episode
  held.release();
  const { runId } = await run.result;
  const events = await home.stores.events.after("ses_1", 0);
  const ids = events.flatMap((event) => (event.type === "GuardianIntervention" ? [event.intervention.id] : []));
  expect(new Set(ids.map((id) => id.split("/")[0]))).toEqual(new Set(["e1", "e2"]));
  const budgets = await view(home);
  const usd = loopsIn(budgets.days);
  expect(usd).toBeGreaterThan(0);
  expect(budgets.loops.map((loop) => [loop.runId, loop.usd])).toEqual([[runId, usd]]);
  const context = testViewContext({ home: home.home, env: home.env, stores: home.stores });
  expect((await runsView(context)).runs.map(({ loopUsd }) => loopUsd)).toEqual([usd]);
  expect(JSON.parse((await home.sheepdog("cost", "--json")).out).loops).toEqual({
    episodes: 1,
    unknown: 0,
    costUsd: usd,
  });
});

test("money that is reserved for a request in progress is not spent, and is told apart", async () => {
  const home = await testHome();
  await home.runPrompt("ses_1", "Hello.", [{ text: "Hi." }]);
  const usage = { input: 900, cacheRead: 0, cacheWrite: 0, output: 100, isEstimated: true };
  await home.stores.costs.reserve(
    { id: "req_1", sessionId: "ses_9", runId: "run_9", model: "m", at: Date.now(), usage, costNanoUsd: 5e8 },
    {},
  );
  const budgets = await view(home);
  expect(budgets.reserved).toEqual({ usd: 0.5, requests: 1 });
  expect([budgets.days, budgets.models, budgets.projects].map(total)).toEqual([1, 1, 1]);
  expect(budgets.today.spentUsd).toBe(1);
});

test("limits have their origin, and the rate of the last hour says when the limit of the day is reached", async () => {
  const home = await testHome();
  await file("home/config.toml", "[budget]\nper_day_limit_cents = 100000\nper_run_limit_cents = 500\n");
  await home.runPrompt("ses_1", "Hello.", [{ text: "Hi." }]);
  const budgets = await view(home);
  expect(budgets.limits[1]).toEqual({
    scope: "day",
    name: "Day",
    stop: 1_000,
    warn: null,
    unit: "usd",
    spent: 1,
    origin: "your configuration",
    runId: null,
    canRaise: true,
  });
  expect(budgets.limits[4]).toMatchObject({
    scope: "turns",
    name: "Turns of a run",
    origin: "default",
    canRaise: false,
  });
  expect(budgets.today.note).toBe("At the rate of the last hour, the limit is not reached today.");
  expect(budgets.perRun.limitUsd).toBe(5);
  await file("home/config.toml", "[budget]\nper_day_limit_cents = 100\n");
  expect((await view(home)).today.note).toMatch(/^The limit is reached/);
  await file("home/config.toml", "[budgt]\n");
  const invalid = await view(home);
  expect([invalid.limits, invalid.summary.includes("configuration is invalid")]).toEqual([[], true]);
});

test("a limit that was changed for a live run is listed with that run while it runs", async () => {
  const home = await testHome();
  const [first, second] = [heldTool("first"), heldTool("second")];
  const call = (tool: string) => ({ calls: [{ tool, input: {} }] });
  const script = [call("first"), call("second"), { text: "Done." }];
  const run = home.runtime(script, { tools: [first.tool, second.tool] }).run("ses_1", "Wait.");
  await first.reached;
  run.control({ type: "limit", limit: "run-cost", stop: 5e9, warn: 4e9 });
  run.control({ type: "limit", limit: "time", stop: 90_000 });
  first.release();
  await second.reached;
  const origin = "changed by you while it runs";
  const shared = { origin, runId: run.runId, canRaise: true };
  expect((await view(home)).limits.slice(8)).toEqual([
    { scope: "run", name: "Cost of this run", stop: 5, warn: 4, unit: "usd", spent: 2, ...shared },
    { scope: "time", name: "Time of this run", stop: 90, warn: null, unit: "seconds", spent: null, ...shared },
  ]);
  second.release();
  await run.result;
  expect((await view(home)).limits).toHaveLength(8);
});

test("odd events and an unknown price stop nothing", async () => {
  const home = await testHome();
  await home.runPrompt("ses_1", "Build it.", [stubborn, stubborn, stubborn, { text: "No." }], { price: () => null });
  const odd = [null, 7, { type: "CostEvent" }, { type: "GuardianIntervention", seq: 1, runId: "r", sessionId: "s" }];
  const { events } = home.stores;
  const stores = {
    ...home.stores,
    events: { ...events, after: async (id: string, seq: number) => [...odd, ...(await events.after(id, seq))] },
  } as unknown as Stores; // what a damaged database may hold
  const budgets = await view(home, 30, stores);
  expect([total(budgets.days), budgets.loops, budgets.models[0]?.unpricedTokens]).toEqual([0, [], 4_000]);
});

test("a session is read again only after it has changed", async () => {
  const home = await testHome();
  await home.runPrompt("ses_1", "Hello.", [{ text: "Hi." }]);
  let reads = 0;
  const { events } = home.stores;
  const stores: Stores = {
    ...home.stores,
    events: {
      ...events,
      after: (...args) => {
        reads++;
        return events.after(...args);
      },
    },
  };
  await view(home, 30, stores);
  await view(home, 7, stores);
  expect(reads).toBe(1);
  await home.runPrompt("ses_1", "Again.", [{ text: "Hi." }]);
  await view(home, 30, stores);
  expect(reads).toBe(2);
});
