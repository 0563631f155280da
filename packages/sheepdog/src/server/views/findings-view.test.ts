import { dirname } from "node:path";
import { analyze, parseRun } from "@sheepdog/records";
import { type Findings, findingsQuerySchema, findingsSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { stuckRun } from "../../../test/recordings.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { buildRunPolicy } from "../../config/policy/run-policy.ts";
import { limitToml } from "../../look-back/sweep-settings.ts";
import { createRecordingLibrary } from "../../recordings/file-recording-library.ts";
import { plainSentence } from "../../sentences/say.ts";
import type { ViewContext } from "../view-context.ts";
import { findingsView } from "./findings-view.ts";
import { saveJudgement } from "./judgements-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function testHome(): Promise<TestHome> {
  opened = await openTestHome(dirname(await file("home/x")));
  return opened;
}

/** The document when everything is analyzed. */
async function finished(context: ViewContext, query: Record<string, unknown> = {}): Promise<Findings> {
  for (;;) {
    const findings = findingsSchema.parse(await findingsView(context, findingsQuerySchema.parse(query)));
    if (findings.progress.done === findings.progress.total) return findings;
  }
}

/** A recorded run that makes the same failing call `times` times and then ends well. Each turn costs 10 cents. */
function goodRun(id: string, times: number): string {
  const call = { name: "bash", args: { command: "npm test" }, result: "1 test failed", isError: true };
  const steps = Array.from({ length: times }, () => ({ text: "", usage: { costUsd: 0.1 }, calls: [call] }));
  const end = { text: "Fixed the flaky test. All is well.", usage: { costUsd: 0.1 }, calls: [] };
  return `${JSON.stringify({ id, source: "Codex", outcome: "success", steps: [...steps, end] })}\n`;
}

const usdAt = ({ sweep }: Findings, limit: number) => sweep.points.find((point) => point.limit === limit)?.savedUsd;

test("without any run the document is empty, with the limit in force", async () => {
  const home = await testHome();
  const findings = await finished(testViewContext({ home: home.home, stores: home.stores }));
  expect(findings).toMatchObject({ progress: { done: 0, total: 0 }, places: [], sources: [], goodRuns: [], stuck: [] });
  expect(findings.totals).toEqual({
    runs: 0,
    goodRuns: 0,
    calls: 0,
    stuckRuns: 0,
    stuckCalls: 0,
    costUsd: null,
    stuckUsd: null,
    unpricedRuns: 0,
  });
  expect([findings.sweep.current, findings.sweep.points.length]).toEqual([8, 12]);
});

test("what an earlier end saves counts runs that did not end well; good runs are listed by id", async () => {
  const home = await testHome();
  const path = await file("runs/a.jsonl", `${stuckRun("s", 12)}${goodRun("g", 6)}nonsense\n`);
  const recordings = createRecordingLibrary([dirname(path)]);
  const context = testViewContext({ home: home.home, stores: home.stores, recordings });
  const findings = await finished(context);
  const ids = new Map((await recordings.list()).map(({ id, source }) => [source, id]));
  expect(findings.totals).toEqual({
    runs: 2,
    goodRuns: 1,
    calls: 18,
    stuckRuns: 2,
    stuckCalls: 16,
    costUsd: 1.9,
    stuckUsd: 1.6,
    unpricedRuns: 0,
  });
  // The stuck run makes 12 calls of 10 cents: ended at 3 calls, nine of them are saved.
  expect([3, 8, 11, 12, 13].map((limit) => usdAt(findings, limit))).toEqual([0.9, 0.4, 0.1, 0, 0]);
  expect(findings.sweep.points.map(({ stoppedGood }) => stoppedGood.length)).toEqual([
    1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
  expect(findings.goodRuns).toEqual([
    {
      id: ids.get("Codex"),
      sentence: [{ text: "Fixed the flaky test" }],
      project: null,
      stoppedUpTo: 6,
      why: "npm test 6 times",
    },
  ]);
  expect(findings.stuck[0]).toEqual({
    id: ids.get("test"),
    sentence: [{ code: "make" }, { text: " failed 12 times the same way" }],
    source: "test",
    project: null,
    detector: "failing-call",
    at: null,
    calls: 11,
    stuckUsd: 1.1,
    firstHintUsd: 0.3,
    savedUsd: 0.4,
  });
  expect(findings.sources).toEqual([
    { source: "test", runs: 1 },
    { source: "Codex", runs: 1 },
  ]);
  expect(findings.places).toEqual([
    { place: dirname(path), runs: 2, skipped: 1, problems: [expect.stringContaining(`${path}:`)] },
  ]);
  expect(findings.detectors).toEqual([{ detector: "failing-call", runs: 2, usd: 1.6, judgedRight: 0, judged: 0 }]);
});

test("limits of cost and turns come from the runs, and contain the one in force", async () => {
  const home = await testHome();
  await file("home/config.toml", "[budget]\nper_run_limit_cents = 75\n\n[agent]\nmax_turns = 12\n");
  const path = await file("a.jsonl", `${stuckRun("s", 30)}${goodRun("g", 11)}`);
  const context = testViewContext({
    home: home.home,
    stores: home.stores,
    recordings: createRecordingLibrary([path]),
  });
  const byCost = await finished(context, { by: "cost" });
  expect(byCost.sweep.current).toBe(0.75);
  // The stuck run costs 3 dollars. At 50 cents it has made 5 turns.
  expect(byCost.sweep.points.map(({ limit, savedUsd, stoppedGood }) => [limit, savedUsd, stoppedGood.length])).toEqual([
    [0.01, 3, 1],
    [0.02, 3, 1],
    [0.05, 3, 1],
    [0.1, 2.9, 1],
    [0.2, 2.8, 1],
    [0.5, 2.5, 1],
    [0.75, 2.3, 1],
    [1, 2, 1],
    [2, 1, 0],
    [5, 0, 0],
  ]);
  expect(byCost.goodRuns).toMatchObject([{ stoppedUpTo: 1, why: "cost $1.20" }]);
  const byTurns = await finished(context, { by: "turns" });
  expect(byTurns.sweep.current).toBe(12);
  expect(
    byTurns.sweep.points.map(({ limit, savedUsd, savedCalls, stoppedGood }) => [
      limit,
      savedUsd,
      savedCalls,
      stoppedGood.length,
    ]),
  ).toEqual([
    [10, 2, 20, 1],
    [12, 1.8, 18, 0],
    [15, 1.5, 15, 0],
    [25, 0.5, 5, 0],
    [40, 0, 0, 0],
  ]);
});

test("Sheepdog's own runs are analyzed with their judgements; demo runs and running ones are not", async () => {
  const home = await testHome();
  const stubborn = { calls: [{ tool: "stubborn", input: {} }] };
  const stuck = await home.runPrompt("ses_1", "Build.", [...Array.from({ length: 12 }, () => stubborn), { text: "" }]);
  await home.runPrompt("ses_1", "Thanks.", [{ text: "You are welcome." }]);
  await home.runPrompt("ses_demo_x_1", "Build.", [stubborn, { text: "Done." }]);
  const live = await home.startRun("ses_2", "Wait.");
  const context = testViewContext({ home: home.home, stores: home.stores });
  await saveJudgement(context, stuck.runId, { interventionId: "e1/hint", isRight: true });
  await saveJudgement(context, stuck.runId, { interventionId: "e1/warn", isRight: false });
  const findings = await finished(context);
  expect(findings.totals).toMatchObject({ runs: 2, goodRuns: 1, calls: 8, stuckRuns: 1, costUsd: 9, stuckUsd: 7 });
  expect(findings.stuck).toMatchObject([{ id: stuck.runId, source: "Sheepdog", savedUsd: 0, firstHintUsd: 3 }]);
  // Three of the eight calls were refused: the loop has the number that the lists of runs and loops have.
  expect(findings.stuck[0]).toMatchObject({ calls: 4, stuckUsd: 7 });
  expect(plainSentence(findings.stuck[0]?.sentence ?? [])).toBe("stubborn failed 5 times the same way");
  expect(findings.detectors).toEqual([{ detector: "failing-call", runs: 1, usd: 7, judgedRight: 1, judged: 2 }]);
  live.release();
  await live.run.result;
  expect((await finished(context)).totals).toMatchObject({ runs: 3, goodRuns: 2 });
});

test("the TOML of every limit is a valid configuration", async () => {
  const home = await testHome();
  const context = testViewContext({ home: home.home, stores: home.stores });
  for (const toml of [limitToml.calls, limitToml.cost, limitToml.turns])
    for (const limit of [3, 5, 8, 14]) {
      await file("home/config.toml", toml.replaceAll("{limit}", String(limit)));
      const loaded = await context.loadConfig(context.cwd);
      const chosen = loaded.ok ? buildRunPolicy(loaded.config) : undefined;
      if (chosen?.ok !== true) throw new Error(`expected a valid policy of ${toml}`);
      if (toml !== limitToml.calls) continue;
      const parsed = parseRun(stuckRun("s", 14), "s");
      const report = parsed.ok ? analyze(parsed.run, chosen.policy) : undefined;
      const end = report?.interventions.find(({ level }) => level === "halt");
      expect(end?.call).toBe(Math.min(10, Math.max(6, limit)) - 1);
    }
});
