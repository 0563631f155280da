import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { createWorkThread } from "./work-thread.ts";

const file = scratchFolder();

/** A thread that runs this program; performed here, the task 3 has the answers 1, 2 and 3. */
async function threadOf(program: string) {
  const url = pathToFileURL(await file("worker.mjs", program)).href;
  return createWorkThread<number, number>({
    program: async () => ({ url, marker: "m" }),
    async *performHere(task) {
      for (let answer = 1; answer <= task; answer++) yield answer;
    },
  });
}

async function performTwice(program: string) {
  const thread = await threadOf(program);
  const perform = async () => {
    const answers: number[] = [];
    const isDone = await thread.perform(3, (answer) => answers.push(answer));
    return [isDone, answers];
  };
  return [await perform(), await perform()];
}

const serving = `import { parentPort, workerData } from "node:worker_threads";
  parentPort.on("message", ({ id, task }) => {
    if (workerData === "m") parentPort.postMessage({ type: "answer", id, answer: task + 39 });
    parentPort.postMessage({ type: "end", id });
  });`;

test("a task is performed by the thread", async () => {
  expect(await performTwice(serving)).toEqual([
    [true, [42]],
    [true, [42]],
  ]);
});

test("if the thread cannot start, the work is done here", async () => {
  const here = [true, [1, 2, 3]];
  expect(await performTwice("throw new Error('no');")).toEqual([here, here]);
  expect(await performTwice("this is no program")).toEqual([here, here]);
});

test("a thread that works and ends during a task loses that task only", async () => {
  const program = `import { existsSync, writeFileSync } from "node:fs";
    import { parentPort } from "node:worker_threads";
    parentPort.postMessage({ type: "ready" });
    parentPort.on("message", ({ id }) => {
      const second = new URL("./second", import.meta.url);
      if (!existsSync(second)) {
        writeFileSync(second, "");
        process.exit(1);
      }
      parentPort.postMessage({ type: "answer", id, answer: 9 });
      parentPort.postMessage({ type: "end", id });
    });`;
  expect(await performTwice(program)).toEqual([
    [false, []],
    [true, [9]],
  ]);
});

test("closing ends the thread and its tasks at once, and a later task starts another thread", async () => {
  const thread = await threadOf(`
    import { existsSync, writeFileSync } from "node:fs";
    import { parentPort } from "node:worker_threads";
    const second = new URL("./second", import.meta.url);
    const isSecond = existsSync(second);
    writeFileSync(second, "");
    parentPort.postMessage({ type: "ready" });
    parentPort.on("message", ({ id }) => {
      parentPort.postMessage({ type: "answer", id, answer: 1 });
      if (isSecond) parentPort.postMessage({ type: "end", id });
      else for (;;);
    });`);
  const isDone = await new Promise((resolve) => {
    thread.perform(1, () => thread.close()).then(resolve);
  });
  expect([isDone, await thread.perform(1, () => {})]).toEqual([false, true]);
});
