import { defineTool, ok, type Stores } from "@sheepdog/agent";
import { defaultPolicy, type Intervention } from "@sheepdog/guardian";
import { analyze, type RecordedRun } from "@sheepdog/records";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../test/test-home.ts";
import { recordedRunOf } from "./saved-run-recording.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => opened?.close());

async function testHome(): Promise<TestHome> {
  opened = await openTestHome(await file("home"));
  return opened;
}

async function recorded(stores: Stores, sessionId: string, index = 0): Promise<RecordedRun> {
  const saved = await stores.sessions.load(sessionId);
  const run = saved.runs[index];
  if (run === undefined) throw new Error("expected a run");
  return recordedRunOf({ run, saved, events: await stores.events.after(sessionId, 0) });
}

const stubborn = { calls: [{ tool: "stubborn", input: { target: "all" } }] };

test("a saved run is a recording with its texts, calls, costs and messages of the user", async () => {
  const home = await testHome();
  await home.runPrompt("ses_1", "Say it.", [
    {
      text: "First this.",
      calls: [
        { tool: "echo", input: { text: "one" } },
        { tool: "stubborn", input: {} },
      ],
    },
    { text: "Done." },
  ]);
  await home.runPrompt("ses_1", "Again.", [{ text: "Done again." }]);
  const usage = { inputTokens: 900, outputTokens: 100, costUsd: 1 };
  const at = expect.any(Number);
  expect(await recorded(home.stores, "ses_1")).toEqual({
    id: expect.stringMatching(/^run_/),
    source: "sheepdog",
    model: expect.any(String),
    task: "Say it.",
    outcome: "answered",
    steps: [
      {
        turn: 0,
        text: "First this.",
        user: true,
        prompt: "Say it.",
        at,
        usage,
        calls: [
          { name: "echo", args: { text: "one" }, result: "one", isError: false, at },
          { name: "stubborn", args: {}, result: "no rule to make target 'all'", isError: true, at },
        ],
      },
      { turn: 1, text: "Done.", at, usage, calls: [] },
    ],
  });
  expect((await recorded(home.stores, "ses_1", 1)).steps).toEqual([
    { turn: 0, text: "Done again.", user: true, prompt: "Again.", at, usage, calls: [] },
  ]);
});

/** Detector, level and index of the last call, of all interventions that are about an episode. */
function facts(interventions: readonly Pick<Intervention, "detector" | "level" | "evidence">[]) {
  return interventions.map(({ detector, level }) => `${detector} ${level}`);
}

test("analyzing a saved run gives the interventions of its guardian", async () => {
  const home = await testHome();
  const script = [...Array.from({ length: 12 }, () => stubborn), { text: "I give up." }];
  const live = await home.runPrompt("ses_1", "Build it.", script);
  expect(live.reason).toBe("tool_failures");
  const recording = await recorded(home.stores, "ses_1");
  const report = analyze(recording, defaultPolicy);
  expect(facts(report.interventions)).toEqual(facts(live.interventions.filter(({ denies }) => denies === undefined)));
  expect(report.interventions.map(({ level, call }) => `${level}@${call}`)).toEqual([
    "hint@2",
    "warn@3",
    "block@4",
    "halt@7",
  ]);
  expect(report.costUsd).toBe((live.costNanoUsd ?? 0) / 1e9);
});

test("a run that recovers, and one that works, are analyzed as their guardian saw them", async () => {
  const home = await testHome();
  const counts = Array.from({ length: 6 }, (_, index) => ({
    calls: [{ tool: "echo", input: { text: `the content of file number ${index} is ${index * 31}` } }],
  }));
  const live = await home.runPrompt("ses_1", "Build it.", [
    ...Array.from({ length: 3 }, () => stubborn),
    ...counts,
    { text: "Done." },
  ]);
  const report = analyze(await recorded(home.stores, "ses_1"), defaultPolicy);
  expect(facts(report.interventions)).toEqual(facts(live.interventions));
  expect(facts(live.interventions)).toEqual(["failing-call hint"]);
  await home.runPrompt("ses_2", "Read.", [...counts, { text: "Done." }]);
  expect(analyze(await recorded(home.stores, "ses_2"), defaultPolicy).interventions).toEqual([]);
});

test("an unfinished run has the calls that have ended, and its costs", async () => {
  const home = await testHome();
  const { run, release } = await home.startRun("ses_1", "Wait.");
  const live = await recorded(home.stores, "ses_1");
  expect([live.outcome, live.steps.flatMap(({ calls }) => calls)]).toEqual([undefined, []]);
  release();
  await run.result;
  expect((await recorded(home.stores, "ses_1")).steps.map(({ calls }) => calls.length)).toEqual([1, 0]);
});

test("without events, the messages are enough", async () => {
  const home = await testHome();
  const tool = defineTool({
    name: "look",
    description: "",
    input: z.looseObject({}),
    run: async () => ok("a cat"),
  });
  await home.runPrompt("ses_1", "Look.", [{ calls: [{ tool: "look", input: {} }] }, { text: "A cat." }], {
    tools: [tool],
  });
  const saved = await home.stores.sessions.load("ses_1");
  const [run] = saved.runs;
  if (run === undefined) throw new Error("expected a run");
  expect(recordedRunOf({ run, saved, events: [] }).steps).toMatchObject([
    { turn: 0, user: true, usage: { inputTokens: 900 }, calls: [{ name: "look", result: "a cat" }] },
    { turn: 1, text: "A cat.", calls: [] },
  ]);
});
