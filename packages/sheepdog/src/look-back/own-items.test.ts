import type { ReadItem, RecordedRun } from "@sheepdog/records";
import { expect, test } from "vitest";
import { ownItems } from "./own-items.ts";

function recorded(id: string, requests: readonly string[], more: Partial<RecordedRun> = {}): ReadItem {
  const steps = requests.map((request, turn) => ({ turn, text: "", usage: { request }, calls: [] }));
  return { type: "run", file: "runs.jsonl", line: 1, run: { id, source: "a", steps, ...more } };
}

async function own(...items: readonly ReadItem[]) {
  const found: ReadItem[] = [];
  const source = (async function* () {
    yield* items;
  })();
  for await (const item of ownItems(source)) found.push(item);
  return found;
}

const requestsOf = (items: readonly ReadItem[]) =>
  items.flatMap((item) =>
    item.type === "run" ? [[item.run.id, ...item.run.steps.map(({ usage }) => usage?.request)]] : [],
  );

test("each model request is in the first run that has it, and an excerpt owns none that a run has", async () => {
  const items = await own(
    recorded("part", ["c", "x"], { isExcerpt: true }),
    recorded("one", ["a", "b"]),
    recorded("copy", ["a"]),
    recorded("other agent", ["a"], { source: "b" }),
    recorded("two", ["b", "c"]),
  );
  expect(requestsOf(items)).toEqual([
    ["one", "a", "b"],
    ["other agent", "a"],
    ["two", "c"],
    ["part", "x"],
  ]);
});

test("runs without steps are left out", async () => {
  expect(await own(recorded("empty", []))).toEqual([]);
});

test("neither runs nor faults hold a secret", async () => {
  const secret = `ghp_${"a1B2c3D4".repeat(5)}`;
  const skipped = { file: "runs.jsonl", line: 2, why: `unexpected "${secret}"` };
  const items = await own(recorded(secret, [secret]), { type: "skipped", skipped });
  expect(items).toHaveLength(2);
  expect(JSON.stringify(items)).not.toContain(secret);
});
