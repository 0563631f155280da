import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readRecording, trajectoryLine } from "../src/index.ts";
import { call, calls, run } from "./builders.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void; // defined by the flag above

const MEGABYTE = 1024 * 1024;

test("memory stays flat over 200 MB of runs", { timeout: 60_000 }, async () => {
  const chunk = Buffer.from(trajectoryLine(run([calls(call("cat", { path: "big" }, "x".repeat(100_000)))])).repeat(10));
  const rounds = Math.ceil((200 * MEGABYTE) / chunk.length);
  async function* large(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < rounds; i++) yield chunk;
  }
  collectGarbage();
  const heapAtStart = process.memoryUsage().heapUsed;
  let runs = 0;
  let highestHeap = 0;
  for await (const item of readRecording(large(), "large.jsonl")) {
    if (item.type === "run") runs++;
    if (runs % 500 === 0) {
      collectGarbage();
      highestHeap = Math.max(highestHeap, process.memoryUsage().heapUsed);
    }
  }
  expect(runs).toBe(rounds * 10);
  expect(highestHeap - heapAtStart).toBeLessThan(64 * MEGABYTE);
});
