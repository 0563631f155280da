import { expect, test } from "vitest";
import { tau2Files } from "./sources/tau2-files.ts";
import { sources } from "./sources.ts";
import { readWantedRuns } from "./wanted-runs.ts";

const wantedRuns = readWantedRuns();

test("every labelled run belongs to a source that can be read", () => {
  const labelled = new Set(wantedRuns.map(({ source }) => source));
  expect([...labelled].sort()).toEqual(sources.map(({ name }) => name).sort());
});

test("every label has the id of its run, a key of its own and a hash", () => {
  expect(new Set(wantedRuns.map(({ key }) => key)).size).toBe(wantedRuns.length);
  for (const run of wantedRuns)
    expect(run).toMatchObject({ runId: expect.stringMatching(/./), sha256: expect.stringMatching(/^[0-9a-f]{32}$/) });
});

test("sources name a repository and a whole commit id", () => {
  for (const { repository, commit } of sources) {
    expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
  }
});

test("every labelled run of tau2-bench is in a file whose content id is listed", () => {
  const listed = new Set(tau2Files.map(({ name }) => name));
  const files = wantedRuns
    .filter(({ source }) => source === "tau2-bench")
    .map(({ runId }) => runId.split("/")[0] ?? "");
  expect(new Set(files)).toEqual(listed);
});
