import { dirname } from "node:path";
import { type AgentEvent, defineTool, type EventStore, ok, type SavedRun } from "@sheepdog/agent";
import { eventsPageSchema, wholeCallSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { callView, eventsView } from "./events-view.ts";
import { runView } from "./run-view.ts";
import { whatIfView } from "./what-if-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const edit = defineTool({
  name: "edit",
  kind: "mutate",
  description: "",
  input: z.looseObject({ path: z.string() }),
  run: async () => ({
    ...ok("x".repeat(9_000)),
    details: { change: { path: "a.ts", line: 3, before: "a\n", after: "b\n" } },
  }),
});

/** A text that does not repeat itself. */
function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index * index}`).join(" ");
}

test("the events of a run come in pages, without those of other runs, until there are no more", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const first = await opened.runPrompt("ses_a", "One.", [{ text: "1" }]);
  const second = await opened.runPrompt("ses_a", "Two.", [{ text: "2" }]);
  const context = testViewContext({ ...opened });
  const all = (await opened.stores.events.after("ses_a", 0)).filter(({ runId }) => runId === second.runId);
  const seqs: number[] = [];
  let hasMore = true;
  while (hasMore) {
    const page = eventsPageSchema.parse(await eventsView(context, second.runId, { after: seqs.at(-1) ?? 0, limit: 2 }));
    seqs.push(...page.events.map(({ seq }) => seq));
    hasMore = page.hasMore;
    expect(page).toMatchObject({ unreadable: 0, position: await opened.stores.events.lastPosition() });
  }
  expect(seqs).toEqual(all.map(({ seq }) => seq));
  const ofFirst = await eventsView(context, first.runId);
  expect(ofFirst?.events.every(({ runId }) => runId === first.runId)).toBe(true);
});

test("a page reads no more events than it needs, also behind those of other runs", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  await opened.runPrompt("ses_a", "One.", [{ text: "1" }]);
  const { stores } = opened;
  const claim = await stores.sessions.claim("ses_a", { id: "h", pid: process.pid, host: "here" }, Date.now());
  if (!claim.ok) throw new Error("Expected to claim the session.");
  const [sample] = await stores.events.after("ses_a", 0);
  const first = (await stores.sessions.load("ses_a")).lastSeq + 1;
  for (let commit = 0; commit < 100; commit++) {
    const events = Array.from({ length: 10 }, (_, index) => {
      const runId = commit < 50 ? "run_other" : "run_last";
      return { ...sample, type: "TurnStarted", turn: commit, runId, seq: first + commit * 10 + index } as AgentEvent;
    });
    await stores.sessions.commit(claim.lease, { at: 1, events });
  }
  const { runs } = await stores.sessions.load("ses_a");
  const run = { ...runs[0], runId: "run_last" } as SavedRun;
  await stores.sessions.commit(claim.lease, { at: 1, run });
  let read = 0;
  const after: EventStore["after"] = async (...args) => {
    const events = await stores.events.after(...args);
    read += events.length;
    return events;
  };
  const context = testViewContext({ ...opened, stores: { ...stores, events: { ...stores.events, after } } });
  const page = await eventsView(context, "run_last", { after: first + 499, limit: 20 });
  expect(page?.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => first + 500 + index));
  expect([page?.hasMore, read <= 250]).toEqual([true, true]);
  const fromStart = await eventsView(context, "run_last", { after: 0, limit: 500 });
  expect([fromStart?.events.length, fromStart?.hasMore]).toEqual([500, false]);
});

test("a call is sent whole", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const input = { path: "a.ts", old: "a", new: words(1_000) };
  const script = [{ calls: [{ tool: "edit", input }] }, { text: "Done." }];
  const { runId } = await opened.runPrompt("ses_a", "Edit.", script, { tools: [edit] });
  const context = testViewContext({ ...opened });
  const page = await eventsView(context, runId);
  const end = page?.events.find(({ type }) => type === "ToolEnd");
  expect(end).toMatchObject({ cut: { content: 9_000 }, diff: { path: "a.ts", isCut: false } });
  const callId = end?.type === "ToolEnd" ? end.callId : "";
  expect(wholeCallSchema.parse(await callView(context, runId, callId))).toEqual({
    callId,
    tool: "edit",
    input,
    status: "ok",
    content: "x".repeat(9_000),
    diff: {
      path: "a.ts",
      lines: [
        { sign: "-", text: "a", number: 3 },
        { sign: "+", text: "b", number: 3 },
      ],
    },
  });
  expect(await callView(context, runId, "call_none")).toBeUndefined();
});

test("an unknown id has no document", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const context = testViewContext({ ...opened });
  for (const id of ["run_x", "rec_x", "../x", "", "x".repeat(1_000)]) {
    expect(await eventsView(context, id)).toBeUndefined();
    expect(await callView(context, id, "c")).toBeUndefined();
    expect(await runView(context, id)).toBeUndefined();
    expect(await whatIfView(context, id)).toBeUndefined();
  }
});
