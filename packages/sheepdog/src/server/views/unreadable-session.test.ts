import { dirname } from "node:path";
import type { Stores } from "@sheepdog/agent";
import { afterEach, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { stopAll } from "../commands/stop-all.ts";
import type { ViewContext } from "../view-context.ts";
import { budgetsView } from "./budgets-view.ts";
import { feedView } from "./feed-view.ts";
import { findingsView } from "./findings-view.ts";
import { overviewView } from "./overview-view.ts";
import { runView } from "./run-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

/** A home in which `ses_bad`, the newest session, cannot be loaded. */
async function damagedHome(more: Partial<ViewContext> = {}): Promise<{ home: TestHome; context: ViewContext }> {
  const home = await openTestHome(dirname(await file("home/x")));
  opened = home;
  await home.runPrompt("ses_a", "First.", [{ text: "One." }]);
  await home.runPrompt("ses_a", "Second.", [{ text: "Two." }]);
  const load: Stores["sessions"]["load"] = (id) =>
    id === "ses_bad" ? Promise.reject(new Error("The database is damaged.")) : home.stores.sessions.load(id);
  const stores = { ...home.stores, sessions: { ...home.stores.sessions, load } };
  return { home, context: testViewContext({ ...home, stores, ...more }) };
}

test("a session that cannot be read hides neither budgets, feed, findings nor the earlier runs of others", async () => {
  const { home, context } = await damagedHome();
  await home.runPrompt("ses_bad", "Third.", [{ text: "Three." }]);
  const [earlier] = (await home.stores.sessions.load("ses_a")).runs;
  expect((await runView(context, earlier?.runId ?? ""))?.run.prompt).toBe("First.");
  expect((await feedView(context)).items.length).toBeGreaterThan(0);
  expect((await findingsView(context, { days: 1, by: "calls" })).progress.total).toBeGreaterThan(0);
  expect((await overviewView(context)).liveRuns).toBe(0);
  expect((await budgetsView(context, { days: 30 })).today.spentUsd).toBe(3);
});

test("stop-all reaches live runs whose sessions cannot be read", async () => {
  const stopped: string[] = [];
  const port: ViewContext["port"] = {
    canReceive: async () => true,
    async send(runId, message) {
      stopped.push(runId);
      return { type: "applied", message };
    },
  };
  const { home, context } = await damagedHome({ port });
  const { run, release } = await home.startRun("ses_bad", "Wait.");
  expect(await stopAll(context)).toEqual({ isDone: true, text: "1 run stopped.", runId: null });
  expect(stopped).toEqual([run.runId]);
  release();
  await run.result;
});
