import { chmodSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scriptedModel } from "@sheepdog/agent/testing";
import { afterAll, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { manualClock } from "../manual-clock.ts";
import { effectsIn } from "./note-tools.ts";
import { databaseIn, effectsFolder, openScenario, prompt, session } from "./scenario.ts";
import type { Step } from "./step.ts";

const testFolder = mkdtempSync(join(tmpdir(), "state-folder-"));
afterAll(() => rmSync(testFolder, { recursive: true, force: true }));

test.each([
  ["removed", (state: string) => rmSync(state, { recursive: true })],
  ["moved away", (state: string) => renameSync(state, `${state}-elsewhere`)],
  [
    "replaced by a copy of itself",
    (state: string) => {
      cpSync(state, `${state}-copy`, { recursive: true });
      rmSync(state, { recursive: true });
      renameSync(`${state}-copy`, state);
    },
  ],
  [
    "replaced by a file",
    (state: string) => {
      rmSync(state, { recursive: true });
      writeFileSync(state, "");
    },
  ],
] as const)("a run whose folder is %s ends before its next side effect with a clear error", async (name, act) => {
  const folder = join(testFolder, name.replaceAll(" ", "-"));
  const step: Step = (at) => {
    if (at === "gate: after") once();
  };
  let isDone = false;
  const once = () => {
    if (!isDone) act(dirname(databaseIn(folder)));
    isDone = true;
  };
  const { runtime, events } = await openScenario(folder, { step });
  const result = await runtime.run(session, prompt).result;
  expect(result).toMatchObject({
    reason: "internal_error",
    problem: expect.stringMatching(/sheepdog\.db was removed or replaced while it was used/),
  });
  expect([...effectsIn(effectsFolder(folder), session)]).toEqual([]);
  expect(events.filter(({ type }) => type === "RunError" || type === "RunComplete")).toHaveLength(1);
  await runtime.stores.close().catch(() => undefined); // its files are gone
});

test.skipIf(process.getuid?.() === 0)(
  "a folder without write permission is refused by name before any side effect",
  async () => {
    const folder = join(testFolder, "read-only");
    mkdirSync(dirname(databaseIn(folder)), { recursive: true });
    chmodSync(dirname(databaseIn(folder)), 0o500);
    await expect(openScenario(folder)).rejects.toThrow(/sheepdog\.db cannot be used/);
    chmodSync(dirname(databaseIn(folder)), 0o700);
  },
);

test.each([
  ["a day ahead", 86_400_000],
  ["a day back", -86_400_000],
  ["an hour back, as at the end of summer", -3_600_000],
])("a wall clock that is set %s during a run ends nothing, and the session can be continued", async (_name, jump) => {
  const folder = join(testFolder, `clock${jump}`);
  const hand = manualClock();
  let shift = 0;
  const clock = { ...hand, now: () => hand.now() + shift };
  const step: Step = (at) => {
    if (at !== "note: in the middle" || shift !== 0) return;
    shift = jump;
    hand.advance(20_000); // the guardian checks, and the lease is renewed
  };
  const { runtime } = await openScenario(folder, { step, clock, settings: { maxDurationSecs: 60 } });
  expect(await runtime.run(session, prompt).result).toMatchObject({ reason: "answered", turns: 3 });
  expect(await runtime.run(session, "And now?").result).toMatchObject({ reason: "answered" });
  const rows = await runtime.stores.costs.rows(session);
  expect(rows.map(({ state }) => state)).toEqual(["settled", "settled", "settled", "settled"]);
  expect((await runtime.stores.costs.totals(session, clock.now())).session).toBe(
    rows.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0),
  );
  await runtime.stores.close();
});

test("a request belongs to the month in which it was sent, even when its reply comes in the next year", async () => {
  let now = Date.UTC(2026, 11, 31, 23, 59, 59, 900);
  const hand = manualClock();
  const clock = { ...hand, now: () => now };
  const stores = await sqliteStores({ path: databaseIn(join(testFolder, "year")) });
  const reply = () => {
    now = Date.UTC(2027, 0, 1, 0, 0, 1);
    return { text: "A happy new year.", usage: { input: 70, output: 7 } };
  };
  const runtime = createRuntime({
    models: [scriptedModel([reply, reply])],
    stores,
    clock,
    price: (_model, { input, output }) => input + output,
  });
  await runtime.run(session, "Wait for it.").result;
  await runtime.run(session, "And again.").result;
  expect((await stores.costs.sums("month")).map(({ key, costNanoUsd }) => [key, costNanoUsd])).toEqual([
    ["2026-12", 77],
    ["2027-01", 77],
  ]);
  await stores.close();
});

test("resuming a run that has ended meanwhile returns its result without a request", async () => {
  const folder = join(testFolder, "meanwhile");
  const [inTool, isRead] = [gate(), gate()];
  const first = await openScenario(folder, {
    async step(at) {
      if (at !== "note: in the middle") return;
      inTool.open();
      await isRead.opened;
    },
  });
  const running = first.runtime.run(session, prompt);
  await inTool.opened;

  const { runtime } = await openScenario(folder);
  const { claim } = runtime.stores.sessions;
  const late = {
    ...runtime.stores.sessions,
    claim: (...parameters: Parameters<typeof claim>) => running.result.then(() => claim(...parameters)),
  };
  const second = createRuntime({ models: [scriptedModel([])], stores: { ...runtime.stores, sessions: late } });
  const resumed = await second.resume(session); // it has read a running run, and claims the session after its end
  isRead.open();
  const { runId, text } = await running.result;
  expect(await resumed.result).toMatchObject({ reason: "answered", runId, text });
  const events = await runtime.stores.events.after(session, 0);
  expect(events.filter(({ type }) => type === "RunComplete" || type === "RunError")).toHaveLength(1);
  await first.runtime.stores.close();
  await runtime.stores.close();
});

test("a session that could not be released can be continued by the same runtime", async () => {
  const { runtime } = await openScenario(join(testFolder, "not-given-back"));
  const { sessions } = runtime.stores;
  let isFull = true;
  const release: typeof sessions.release = async (lease) => {
    if (isFull) throw new Error("The disk is full.");
    return sessions.release(lease);
  };
  const model = scriptedModel([{ text: "One." }, { text: "Two." }]);
  const server = createRuntime({ models: [model], stores: { ...runtime.stores, sessions: { ...sessions, release } } });
  expect(await server.run(session, "Count.").result).toMatchObject({ reason: "answered" });
  isFull = false;
  const again = await server.run(session, "Continue.").result;
  await runtime.stores.close();
  expect(again).toMatchObject({ reason: "answered", text: "Two." });
});

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
