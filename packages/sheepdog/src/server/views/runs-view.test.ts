import { dirname } from "node:path";
import type { Stores } from "@sheepdog/agent";
import { defaultPolicy } from "@sheepdog/guardian";
import { parseRun, type RecordedRun } from "@sheepdog/records";
import { runDetailSchema, runsPageSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { stuckRun } from "../../../test/recordings.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import type { RecordingLibrary } from "../../recordings/recording-library.ts";
import { plainSentence } from "../../sentences/say.ts";
import { feedView } from "./feed-view.ts";
import { runView } from "./run-view.ts";
import { runsView } from "./runs-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const same = { calls: [{ tool: "stubborn", input: { target: "all" } }] };
const said = (text: string) => [{ text }];
const sentences = (page: Awaited<ReturnType<typeof runsView>>) => ({
  live: page.live.map(({ sentence }) => plainSentence(sentence)),
  runs: page.runs.map(({ sentence }) => plainSentence(sentence)),
});

/** A home with four runs that ended, and one that is live. */
async function homeWithRuns(): Promise<TestHome> {
  const home = await openTestHome(dirname(await file("home/x")));
  opened = home;
  await home.runPrompt(
    "ses_a",
    "Make all.",
    Array.from({ length: 20 }, () => same),
    { workspace: "/work/api" },
  );
  await home.runPrompt("ses_b", "Update it.", said("Updated 14 dependencies."), { workspace: "/work/shop" });
  await home.runPrompt("ses_b", "And again.", said("Nothing to update."), { workspace: "/work/shop" });
  const limits = { "run-cost": { warn: 1e9, stop: 2e9 } };
  const read = { text: "Page 1 read.", calls: [{ tool: "echo", input: { text: "x" } }] };
  await home.runPrompt("ses_c", "Read.", [read, read, read], {
    policy: { ...defaultPolicy, limits },
    workspace: "/work/api",
  });
  return home;
}

test("live runs come first, then the others, each as a sentence, newest first", async () => {
  const home = await homeWithRuns();
  const { run, release } = await home.startRun("ses_live", "Wait for it.");
  const context = testViewContext({ ...home });
  const page = runsPageSchema.parse(await runsView(context));
  expect(sentences(page)).toEqual({
    live: ["Wait for it: calling wait"],
    runs: [
      "Ended at its limit of $2.00: Page 1 read",
      "Nothing to update",
      "Updated 14 dependencies",
      expect.stringMatching(/^stubborn all failed 5 times the same way; the guardian ended the run at \d\d:\d\d$/),
    ],
  });
  expect(page).toMatchObject({
    nextBefore: null,
    projects: ["api", "home", "shop"],
    models: ["scripted"],
    sources: ["Sheepdog"],
  });
  expect(page.runs.map(({ resumeCommand, resumeProblem }) => [resumeCommand, resumeProblem])).toEqual([
    ["sheepdog run --resume ses_c", "Its folder /work/api no longer exists. Resume it in another folder."],
    [null, null],
    [null, null],
    ["sheepdog run --resume ses_a", "Its folder /work/api no longer exists. Resume it in another folder."],
  ]);
  expect(page.live.map(({ task }) => task)).toEqual(["Wait for it"]);
  expect(page.runs.map(({ task }) => task)).toEqual(["Read", "And again", "Update it", "Make all"]);
  release();
  await run.result;
  expect(sentences(await runsView(context))).toMatchObject({ live: [], runs: { length: 5, 0: "Done: Wait for it" } });
});

test("pages begin before the start of the last run, and contain each run once", async () => {
  const context = testViewContext({ ...(await homeWithRuns()) });
  const ids: string[] = [];
  let before: number | null | undefined;
  for (let pages = 0; pages < 10 && before !== null; pages++) {
    const page = runsPageSchema.parse(
      await runsView(context, { limit: 1, ...(before === undefined ? {} : { before }) }),
    );
    ids.push(...page.runs.map(({ id }) => id));
    before = page.nextBefore;
  }
  const all = (await runsView(context)).runs.map(({ id }) => id);
  expect(ids).toEqual(all);
});

test("filters choose runs by words, state, project, guardian, cost and source", async () => {
  const context = testViewContext({ ...(await homeWithRuns()) });
  const found = async (query: Parameters<typeof runsView>[1]) => sentences(await runsView(context, query)).runs.length;
  expect(await found({ text: "UPDATE  nothing" })).toBe(1);
  expect(await found({ text: "stubborn" })).toBe(1);
  expect(await found({ state: "completed" })).toBe(2);
  expect(await found({ state: "stopped" })).toBe(1);
  expect(await found({ state: "failed" })).toBe(1);
  expect(await found({ state: "live" })).toBe(0);
  expect(await found({ project: "shop" })).toBe(2);
  expect(await found({ model: "other" })).toBe(0);
  expect(await found({ guardian: "any" })).toBe(2);
  expect(await found({ guardian: "none" })).toBe(2);
  expect(await found({ guardian: "halt" })).toBe(1);
  expect(await found({ guardian: "limit" })).toBe(1);
  expect(await found({ minCostUsd: "8" })).toBe(1);
  expect(await found({ maxCostUsd: 1 })).toBe(3);
  expect(await found({ source: "Claude Code" })).toBe(0);
  expect(await found({ since: Date.now() + 1 })).toBe(0);
});

test("a second list reads no session again, and a change only its own", async () => {
  const home = await homeWithRuns();
  const loads: string[] = [];
  const sessions: Stores["sessions"] = {
    ...home.stores.sessions,
    load: (id) => {
      loads.push(id);
      return home.stores.sessions.load(id);
    },
  };
  const context = testViewContext({ ...home, stores: { ...home.stores, sessions } });
  await runsView(context);
  expect(loads.toSorted()).toEqual(["ses_a", "ses_b", "ses_c"]);
  await runsView(context);
  expect(loads).toHaveLength(3);
  await home.runPrompt("ses_b", "Once more.", said("Still nothing."));
  await runsView(context);
  expect(loads.slice(3)).toEqual(["ses_b"]);
});

test("a session that cannot be read does not hide the others", async () => {
  const home = await homeWithRuns();
  const load: Stores["sessions"]["load"] = (id) =>
    id === "ses_a" ? Promise.reject(new Error("The database is damaged.")) : home.stores.sessions.load(id);
  const stores = { ...home.stores, sessions: { ...home.stores.sessions, load } };
  const page = runsPageSchema.parse(await runsView(testViewContext({ ...home, stores })));
  expect(sentences(page).runs).toHaveLength(4);
  expect(sentences(page).runs.at(-1)).toBe("This run cannot be read: The database is damaged.");
  expect(page.runs.at(-1)).toMatchObject({ resumeCommand: null, canFork: false, prompt: "Make all." });
});

function library(
  line: string,
  more: Partial<Awaited<ReturnType<RecordingLibrary["list"]>>[number]> = {},
): RecordingLibrary {
  const parsed = parseRun(line, "r1");
  const recording = (parsed as { readonly run: RecordedRun }).run; // the line is valid
  return {
    list: async () => [
      {
        id: "rec_1",
        recordedId: "r1",
        source: "Claude Code",
        file: "a.jsonl",
        line: 1,
        model: "m",
        task: "Build it. Then stop.",
        outcome: undefined,
        startedAt: undefined,
        endedAt: undefined,
        turns: recording.steps.length,
        calls: recording.steps.length,
        costUsd: 1.2,
        workspace: "/work/data-pipeline",
        ...more,
      },
    ],
    load: async () => recording,
  };
}

test("a recording is listed and shown like a run, with what the guardian would have done", async () => {
  const home = await openTestHome(dirname(await file("home/x")));
  opened = home;
  const context = testViewContext({ ...home, recordings: library(stuckRun("r1", 12)) });
  const page = runsPageSchema.parse(await runsView(context));
  expect(page.runs).toMatchObject([
    {
      id: "rec_1",
      kind: "recording",
      source: "Claude Code",
      sessionId: "",
      sentence: [{ text: "Recording: " }, { code: "make" }, { text: " failed 12 times the same way" }],
      project: "data-pipeline",
      turns: 12,
      guardian: { level: "halt", text: "would have ended", isApplied: false },
      canFork: false,
      resumeCommand: null,
    },
  ]);
  expect(page.runs[0]?.costUsd).toBeCloseTo(1.2);
  const detail = runDetailSchema.parse(await runView(context, "rec_1"));
  expect(plainSentence(detail.lede)).toBe(
    "Recording r1 (a.jsonl:1). Its outcome is unknown. " +
      "The guardian would have ended it in turn 8, when it had cost $0.80. It spent another $0.40 after that.",
  );
  expect(
    detail.interventions.map(({ level, turn, isApplied, callIds }) => [level, turn, isApplied, callIds.length]),
  ).toEqual([
    ["hint", 3, false, 3],
    ["warn", 4, false, 4],
    ["block", 5, false, 5],
    ["halt", 8, false, 8],
  ]);
  expect([detail.accepts, detail.run.startedAt, detail.text]).toEqual([[], 0, ""]);
});

test("recordings without times are all listed", async () => {
  const home = await openTestHome(dirname(await file("home/x")));
  opened = home;
  const one = library(stuckRun("r1", 3));
  const [entry] = await one.list();
  if (entry === undefined) throw new Error("Expected a recording.");
  const entries = Array.from({ length: 30 }, (_, index) => ({ ...entry, id: `rec_${index}` }));
  const context = testViewContext({ ...home, recordings: { ...one, list: async () => entries } });
  const page = await runsView(context, { limit: 10 });
  expect([page.runs.length, page.nextBefore]).toEqual([30, null]);
});

test("a run that the user stopped when asked is a stopped run, whatever the question was about", async () => {
  const home = await openTestHome(dirname(await file("home/x")));
  opened = home;
  const attended = { attended: true, askAboutRun: async () => ({ type: "stop" }) as const };
  const stuck = Array.from({ length: 20 }, () => same);
  await home.runPrompt("ses_a", "Make all.", stuck, attended);
  const policy = { ...defaultPolicy, limits: { turns: { stop: 2 } } };
  const read = (text: string) => ({ calls: [{ tool: "echo", input: { text } }] });
  await home.runPrompt("ses_b", "Read.", [read("one"), read("two"), read("three")], { ...attended, policy });
  const page = runsPageSchema.parse(await runsView(testViewContext({ ...home }), { state: "stopped" }));
  expect(page.runs.map(({ sentence, state, reason }) => [plainSentence(sentence), state, reason])).toEqual([
    ["Stopped by you: Read", "cancelled", "max_turns"],
    ["Stopped by you: stubborn all failed 5 times the same way", "cancelled", "tool_failures"],
  ]);
  const { out } = await home.sheepdog("runs");
  expect(out.split("\n").slice(1, 3)).toEqual([
    expect.stringContaining("stopped by you"),
    expect.stringContaining("stopped by you"),
  ]);
  expect((await home.sheepdog("show", "ses_a")).out).toMatch(/Ended: you stopped it \(tool_failures; /);
  const { runs } = JSON.parse((await home.sheepdog("runs", "--json")).out);
  expect(runs.map(({ state, isStoppedByUser }: Record<string, unknown>) => [state, isStoppedByUser])).toEqual([
    ["max_steps", true],
    ["error", true],
  ]);
  const ended = (await feedView(testViewContext({ ...home }))).items.filter(({ kind }) => kind === "ended");
  expect(ended.map(({ status, level, group }) => [status, level, group])).toEqual([
    [null, null, "ended"],
    [null, null, "ended"],
  ]);
});
