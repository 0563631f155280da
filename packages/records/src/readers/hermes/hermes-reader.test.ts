import { expect, test } from "vitest";
import { collected } from "../../../test/builders.ts";
import { createDatabase } from "../../../test/fixtures/databases/create-database.ts";
import { fillHermesDatabase } from "../../../test/fixtures/databases/hermes-database.ts";
import { expectedHermesDatabase } from "../../../test/fixtures/expected/hermes.ts";
import { totalsOf } from "../../../test/totals.ts";
import { readRecordingFile } from "../read-recording-file.ts";

const read = async () => await collected(readRecordingFile(await createDatabase("state.db", fillHermesDatabase)));

test("a database of hermes has the totals that a person counts", async () => {
  const { runs, skipped } = await read();
  expect(totalsOf(runs)).toEqual(expectedHermesDatabase);
  expect(skipped).toEqual([]);
});

test("a session is one run, a delegated one a subagent, and content behind a NUL is read", async () => {
  const { runs } = await read();
  expect(runs.map(({ steps: _, ...run }) => run)).toEqual([
    {
      id: "h-1",
      source: "hermes",
      model: "claude-sonnet-4-5",
      provider: "anthropic",
      task: "Fix the cart",
      project: "/home/ada/shop",
      counting: { rewoundMessages: 1 },
    },
    {
      id: "h-2",
      source: "hermes",
      model: "claude-haiku-4-5",
      provider: "anthropic",
      task: "Look for the tax",
      project: "/home/ada/shop",
      parent: "h-1",
    },
  ]);
});

test("messages that a compaction copied are read once, and calls tell why they failed", async () => {
  const { runs } = await read();
  const steps = runs[0]?.steps.map(({ user, compacted, calls }) => ({
    ...{ user, compacted },
    calls: calls.map(({ name, isError, status }) => [name, isError, status]),
  }));
  expect(steps).toEqual([
    { user: true, compacted: undefined, calls: [] },
    { user: undefined, compacted: undefined, calls: [["terminal", true, undefined]] },
    {
      ...{ user: undefined, compacted: true },
      calls: [
        ["patch", true, "denied"],
        ["rm", true, "unknown-tool"],
      ],
    },
    { user: undefined, compacted: undefined, calls: [] },
  ]);
});
