// node read.ts plain|readers <folder>: reads the history of a Claude folder, and prints the number of lines or runs and
// the milliseconds of processor time.
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRecordings } from "../../packages/records/dist/index.js";

const [mode, folder = ""] = process.argv.slice(2);
const read = mode === "plain" ? parseLines : readRuns;
await read(join(folder, "projects/-srv-project-0")); // the warm-up does not count
globalThis.gc?.();
const before = process.cpuUsage();
const count = await read(folder);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ count, cpuMs: (user + system) / 1_000 }));

/** The floor: each line of each file is parsed as JSON and dropped. */
async function parseLines(root: string): Promise<number> {
  let lines = 0;
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    let rest = "";
    for await (const chunk of createReadStream(join(root, name), "utf8")) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) if (typeof JSON.parse(part) === "object") lines += 1;
    }
  }
  return lines;
}

async function readRuns(root: string): Promise<number> {
  let runs = 0;
  for await (const item of readRecordings([root])) if (item.type === "run") runs += 1;
  return runs;
}
