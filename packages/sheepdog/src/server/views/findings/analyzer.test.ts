import { pathToFileURL } from "node:url";
import { defaultPolicy } from "@sheepdog/guardian";
import type { RecordedRun } from "@sheepdog/records";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../../test/scratch-folder.ts";
import type { AnalyzedLine } from "./analysis-task.ts";
import { createAnalyzer } from "./analyzer.ts";

const file = scratchFolder();
const run: RecordedRun = { id: "r", steps: [{ turn: 0, text: "Done.", calls: [] }] };

async function linesOf(program: string) {
  const url = pathToFileURL(await file("worker.mjs", program)).href;
  const analyzer = createAnalyzer(async () => ({ url, marker: "m" }));
  const perform = async () => {
    const lines: AnalyzedLine[] = [];
    await analyzer.perform({ type: "run", run, policy: defaultPolicy }, (line) => lines.push(line));
    return lines.map((analyzed) => [analyzed.line, "facts" in analyzed ? analyzed.facts.turns : undefined]);
  };
  return [await perform(), await perform()];
}

test("a task is performed by the thread", async () => {
  const program = `import { parentPort, workerData } from "node:worker_threads";
    parentPort.on("message", ({ id, task }) => {
      const facts = { turns: task.run.steps.length + 41 };
      if (workerData === "m") parentPort.postMessage({ id, type: "answer", answer: { line: 7, facts } });
      parentPort.postMessage({ id, type: "end" });
    });`;
  expect(await linesOf(program)).toEqual([[[7, 42]], [[7, 42]]]);
});

test("if the thread cannot start, the work is done here", async () => {
  expect(await linesOf("throw new Error('no');")).toEqual([[[0, 1]], [[0, 1]]]);
  expect(await linesOf("this is no program")).toEqual([[[0, 1]], [[0, 1]]]);
});

test("a thread that ends during a task leaves out that task only", async () => {
  const program = `import { existsSync, writeFileSync } from "node:fs";
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ id, task }) => {
      const second = new URL("./second", import.meta.url);
      if (existsSync(second)) process.exit(1);
      writeFileSync(second, "");
      parentPort.postMessage({ id, type: "answer", answer: { line: 0, facts: { turns: 9 } } });
      parentPort.postMessage({ id, type: "end" });
    });`;
  expect(await linesOf(program)).toEqual([[[0, 9]], []]);
});
