import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { analyze, parseRun, readRecordings, trajectoryLine } from "../src/index.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const data = resolve(repository, process.env["SHEEPDOG_DATA"] ?? "../shared/data");
const hasRecordings = existsSync(join(data, "labelled-runs.jsonl.gz"));
if (!hasRecordings)
  console.warn(`No recordings at ${data}: tests over real recordings are skipped. Set SHEEPDOG_DATA to their folder.`);

describe.skipIf(!hasRecordings)("over real recordings", () => {
  test("every labelled run is read, survives writing, and its report is consistent", async () => {
    const keys = readFileSync(join(data, "labels.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { key: string }).key); // one object with a key per line
    const ids: string[] = [];
    for await (const item of readRecordings([join(data, "labelled-runs.jsonl.gz")])) {
      if (item.type === "skipped") throw new Error(`line ${item.skipped.line}: ${item.skipped.why}`);
      ids.push(item.run.id);
      expect(parseRun(trajectoryLine(item.run), "")).toEqual({ ok: true, run: item.run });
      expectConsistent(analyze(item.run, defaultPolicy));
    }
    expect(ids.sort()).toEqual(keys.sort());
  });

  test("a directory of recordings is read without a skip", async () => {
    let runs = 0;
    for await (const item of readRecordings([join(data, "unlabelled")])) {
      expect(item.type).toBe("run");
      runs++;
    }
    expect(runs).toBeGreaterThan(4_000);
  });
});

function expectConsistent(report: ReturnType<typeof analyze>): void {
  for (const { call, evidence } of report.interventions) {
    expect(call).toBeLessThan(report.calls);
    expect(evidence.every((index, position) => index <= call && index > (evidence[position - 1] ?? -1))).toBe(true);
  }
  expect(report.stuck === null).toBe(report.interventions.every(({ evidence }) => evidence.length === 0));
  if (report.stuck === null) return;
  const { from, to, calls } = report.stuck;
  expect(from).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(to - from + 1);
  expect(to).toBeLessThan(report.calls);
}
