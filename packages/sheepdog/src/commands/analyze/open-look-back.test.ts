import { utimes } from "node:fs/promises";
import { expect, test } from "vitest";
import { claudeSession } from "../../../test/claude-session.ts";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();

interface Document {
  readonly totals: { readonly runs: number; readonly costUsd: number | null };
  readonly runs: readonly { readonly id: string; readonly turns: number }[];
}

async function analyze(args: readonly string[]): Promise<Document> {
  const io = fakeIo();
  const env = { ...io.env, HOME: await file("home") };
  await main(["analyze", "--json", ...args], { ...io, env });
  return JSON.parse(io.out()) as Document; // our output
}

const documentOf = ({ totals, runs }: Document) => [
  totals.runs,
  totals.costUsd,
  runs.map(({ id, turns }) => [id, turns]),
];

test("with and without second opinions, the same runs are wanted and each request counts once", async () => {
  const replies = ["a", "b"].map((request) => ({ request }));
  const older = await file("home/.claude/projects/z.jsonl", claudeSession("s1", "/srv/api", replies));
  await new Promise((resolve) => setTimeout(resolve, 25)); // the other file is created later
  await file("home/.claude/projects/a.jsonl", claudeSession("s2", "/srv/api", [...replies, { request: "c" }]));
  const briefs = ["--briefs", await file("briefs")];
  const all = await analyze([]);
  expect(all.runs.map(({ turns }) => turns).toSorted()).toEqual([1, 2]);
  expect(documentOf(await analyze(briefs))).toEqual(documentOf(all));
  await utimes(older, 1_000, 1_000);
  const since = ["--since", "2001-01-01"];
  const recent = await analyze(since);
  expect(recent.runs).toMatchObject([{ id: "s2", turns: 1 }]);
  expect(documentOf(await analyze([...since, ...briefs]))).toEqual(documentOf(recent));
});

test("a run without times is of any time, with and without second opinions", async () => {
  const step = { turn: 0, text: "Done.", calls: [] };
  const path = await file("runs.jsonl", `${JSON.stringify({ id: "timeless", source: "a", steps: [step] })}\n`);
  const briefs = ["--briefs", await file("briefs")];
  for (const args of [[], briefs])
    expect((await analyze([path, "--since", "7d", ...args])).runs).toMatchObject([{ id: "timeless" }]);
});
