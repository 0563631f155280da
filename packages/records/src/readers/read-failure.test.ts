import { expect, test } from "vitest";
import { BinaryContent, describeReadFailure } from "./read-failure.ts";
import { readRecordingFile } from "./read-recording-file.ts";

const failure = (code: string) => Object.assign(new Error("failed"), { code });

test("a failure of the system may pass, one of the content does not", () => {
  const isTemporary = (error: unknown) => describeReadFailure(error).isTemporary;
  expect([failure("EACCES"), failure("EMFILE"), new Error("locked")].map(isTemporary)).toEqual([true, true, true]);
  expect([new BinaryContent(), failure("Z_DATA_ERROR")].map(isTemporary)).toEqual([false, false]);
});

test("the item of a file that cannot be opened says that this may pass", async () => {
  const items = [];
  for await (const item of readRecordingFile("/nowhere/runs.jsonl")) items.push(item);
  const skipped = { file: "/nowhere/runs.jsonl", line: 0, why: "there is no such file or directory" };
  expect(items).toEqual([{ type: "skipped", skipped, isTemporary: true }]);
});
