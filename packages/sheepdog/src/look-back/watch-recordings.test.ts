import { appendFile, utimes, writeFile } from "node:fs/promises";
import { defaultPolicy } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import { cleanRun, stuckRun } from "../../test/recordings.ts";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { plainSentence } from "../sentences/say.ts";
import { createRecordingWatch, type SeenIntervention } from "./watch-recordings.ts";

const file = scratchFolder();

async function setUp(content: string) {
  const path = await file("runs.jsonl", content);
  let now = Date.now();
  const machine = { env: {}, homeFolder: path, platform: "linux" } as const;
  const request = { machine, paths: [path], policy: defaultPolicy, priceOverrides: {} };
  const watch = createRecordingWatch(request, { now: () => now });
  const look = async () => {
    now += 60_000;
    return (await watch.look()).map(({ run, level, sentence }: SeenIntervention) => [
      run.recordedId,
      level,
      plainSentence(sentence),
    ]);
  };
  return { path, look, watch };
}

test("what is in a recording already is known; what is added is returned once", async () => {
  const { path, look } = await setUp(stuckRun("old"));
  expect(await look()).toEqual([]);
  await appendFile(path, cleanRun("fine") + stuckRun("new", 4));
  expect(await look()).toEqual([["new", "warn", "make failed 4 times the same way"]]);
  expect(await look()).toEqual([]);
});

test("the history that a forked session copies is no news, and what it adds is", async () => {
  const { path, look } = await setUp(cleanRun("old"));
  await look();
  const at = (line: string, time: number) => line.replaceAll('"text":', `"at":${time},"text":`);
  await appendFile(path, at(stuckRun("fork", 4), Date.now() - 86_400_000));
  expect(await look()).toEqual([]);
  await appendFile(path, at(stuckRun("new", 4), Date.now() + 3_600_000));
  expect(await look()).toEqual([["new", "warn", "make failed 4 times the same way"]]);
});

test("a run that grows climbs from level to level", async () => {
  const { path, look } = await setUp(stuckRun("r", 2));
  expect(await look()).toEqual([]);
  await writeFile(path, stuckRun("r", 3));
  expect(await look()).toEqual([["r", "hint", "make failed 3 times the same way"]]);
  await writeFile(path, stuckRun("r", 5));
  expect(await look()).toEqual([["r", "block", "make failed 5 times the same way"]]);
  await writeFile(path, stuckRun("r", 6));
  expect(await look()).toEqual([]);
});

test("a run that continues says how often it was when the guardian would have spoken", async () => {
  const { path, look } = await setUp(cleanRun("a"));
  await look();
  await appendFile(path, stuckRun("long", 12));
  expect(await look()).toEqual([["long", "halt", "make failed 8 times the same way"]]);
});

test("an old recording is not followed until it changes", async () => {
  const { path, look, watch } = await setUp(stuckRun("old"));
  const lastWeek = new Date(Date.now() - 7 * 86_400_000);
  await utimes(path, lastWeek, lastWeek);
  expect([await look(), watch.active()]).toEqual([[], 0]);
  await appendFile(path, stuckRun("new"));
  await look();
  expect(watch.active()).toBe(1);
});

test("a recording that vanishes or is damaged does not end the watch", async () => {
  const { path, look } = await setUp(cleanRun("a"));
  await look();
  await writeFile(path, "oops\n");
  expect(await look()).toEqual([]);
  await writeFile(path, stuckRun("b"));
  expect(await look()).toEqual([["b", "hint", "make failed 3 times the same way"]]);
});
