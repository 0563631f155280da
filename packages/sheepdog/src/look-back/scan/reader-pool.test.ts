import { pathToFileURL } from "node:url";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { noRequests } from "./file-facts.ts";
import { createReaderPool } from "./reader-pool.ts";

const file = scratchFolder();
const task = { copies: noRequests, policy: defaultPolicy, priceOverrides: {}, now: 0 };

async function programOf(program: string) {
  const url = pathToFileURL(await file("worker.mjs", program)).href;
  return async () => ({ url, marker: "m" });
}

const MEGABYTE = 1_000_000;

test("of large files one is read at a time, and an urgent file is next", async () => {
  // The thread answers when it began and ended as "requests".
  const program = await programOf(`import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ id }) => {
      const began = performance.timeOrigin + performance.now();
      setTimeout(() => {
        const requests = Float64Array.of(began, performance.timeOrigin + performance.now());
        parentPort.postMessage({ type: "answer", id, answer: { type: "requests", requests } });
        parentPort.postMessage({ type: "end", id });
      }, 30);
    });`);
  const pool = createReaderPool(1_000 * MEGABYTE, program);
  const order: string[] = [];
  const read = async (name: string, megabytes: number, isUrgent = false) => {
    const { requests } = await pool.read({ ...task, file: name }, { bytes: megabytes * MEGABYTE, isUrgent });
    order.push(name);
    return requests;
  };
  const large = await Promise.all([
    ...["one", "two", "three"].map((name) => read(name, 100)),
    ...["a", "b", "c", "d", "e", "f"].map((name) => read(name, 1)),
    read("urgent", 1, true),
  ]);
  pool.close();
  const [one, two, three] = large.map(([began = 0, ended = 0]) => ({ began, ended }));
  expect([(two?.began ?? 0) >= (one?.ended ?? 0), (three?.began ?? 0) >= (two?.ended ?? 0)]).toEqual([true, true]);
  expect(order.indexOf("urgent")).toBeLessThan(order.indexOf("f"));
});

test("a file that ends its thread is reported, and the next one is read", async () => {
  const program = await programOf(`import { parentPort } from "node:worker_threads";
    parentPort.postMessage({ type: "ready" });
    parentPort.on("message", ({ id, task }) => {
      if (task.file === "huge.jsonl") throw new Error("out of order");
      parentPort.postMessage({ type: "end", id });
    });`);
  const pool = createReaderPool(1, program);
  const read = (name: string) => pool.read({ ...task, file: name }, { bytes: 1 });
  expect((await read("huge.jsonl")).skipped).toEqual([
    { file: "huge.jsonl", line: 0, why: "reading it failed: out of order" },
  ]);
  expect((await read("huge.jsonl")).isTemporary).toBe(true);
  expect(await read("small.jsonl")).toMatchObject({ skipped: [] });
  pool.close();
});
