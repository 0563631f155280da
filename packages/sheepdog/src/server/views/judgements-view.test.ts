import { appendFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memoryStores } from "@sheepdog/agent";
import { commandResultSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { stuckRun } from "../../../test/recordings.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { resolveHome } from "../../home.ts";
import { createRecordingLibrary } from "../../recordings/file-recording-library.ts";
import { judgementsOf, saveJudgement } from "./judgements-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const stubborn = { calls: [{ tool: "stubborn", input: {} }] };

test("a judgement is saved for its owner only, the last one counts, and null takes it back", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const { runId } = await opened.runPrompt("ses_1", "Build.", [stubborn, stubborn, stubborn, { text: "No." }]);
  const context = testViewContext({ home: opened.home, stores: opened.stores, now: () => 5 });
  const judge = async (interventionId: string, isRight: boolean | null) =>
    commandResultSchema.parse(await saveJudgement(context, runId, { interventionId, isRight }));
  expect(await judge("e1/hint", false)).toEqual({ isDone: true, text: "Your judgement is saved.", runId: null });
  await judge("e1/hint", true);
  const judgements = await judgementsOf(context);
  expect(judgements.all).toEqual([
    { at: 5, runId, interventionId: "e1/hint", detector: "failing-call", isRight: true },
  ]);
  expect([judgements.isRight(runId, "e1/hint"), judgements.isRight(runId, "e2/hint")]).toEqual([true, null]);
  const path = join(opened.home.dir, "judgements.jsonl");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(3);
  await judge("e1/hint", null);
  expect((await judgementsOf(context)).all).toEqual([]);
  expect((await judge("e9/halt", true)).isDone).toBe(false);
});

test("an intervention of a recording can be judged; what is unknown is refused", async () => {
  const home = resolveHome({ SHEEPDOG_HOME: dirname(await file("home/x")) });
  const recordings = createRecordingLibrary([await file("stuck.jsonl", stuckRun("s", 4))]);
  const context = testViewContext({ home, stores: memoryStores(), recordings });
  const [{ id = "" } = {}] = await recordings.list();
  const isSaved = async (runId: string, interventionId = "e1/hint") =>
    (await saveJudgement(context, runId, { interventionId, isRight: true })).isDone;
  expect([await isSaved("run_1"), await isSaved("rec_2"), await isSaved("../x"), await isSaved(id, "e9/halt")]).toEqual(
    [false, false, false, false],
  );
  expect(await isSaved(id)).toBe(true);
  expect((await judgementsOf(context)).all).toMatchObject([{ runId: id, detector: "failing-call", isRight: true }]);
});

test("damaged lines are skipped, and only the newest part of a long file is read", async () => {
  const folder = dirname(await file("home/x"));
  const context = testViewContext({ home: resolveHome({ SHEEPDOG_HOME: folder }), stores: memoryStores() });
  expect((await judgementsOf(context)).all).toEqual([]);
  const line = (interventionId: string) => `${JSON.stringify({ runId: "run_1", interventionId, isRight: true })}\n`;
  const path = join(folder, "judgements.jsonl");
  await writeFile(path, `nonsense\n[]\nnull\n{"runId":1}\n${line("e1/hint")}${line("e2/hint").slice(0, 20)}`);
  expect((await judgementsOf(context)).all.map(({ interventionId }) => interventionId)).toEqual(["e1/hint"]);
  await appendFile(path, `\n${`${"x".repeat(999)}\n`.repeat(4_500)}${line("e3/hint")}`);
  expect((await judgementsOf(context)).all.map(({ interventionId }) => interventionId)).toEqual(["e3/hint"]);
  const other = join(folder, "other");
  await mkdir(join(other, "judgements.jsonl"), { recursive: true });
  const odd = testViewContext({ home: resolveHome({ SHEEPDOG_HOME: other }), stores: memoryStores() });
  expect((await judgementsOf(odd)).all).toEqual([]);
});
