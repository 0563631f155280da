import { contestantNamed } from "./contestants/index.ts";
import { runOnce } from "./run-once.ts";

// node … once.ts <contestant> <turns> <read|mutate> <folder>: runs one conversation, for a caller that traces it.
const [name, turns = "200", kind = "read", folder] = process.argv.slice(2);
if (folder === undefined || (kind !== "read" && kind !== "mutate"))
  throw new Error("Expected a contestant, a number of turns, read or mutate, and a folder.");
const { load, jsonBytes } = contestantNamed(name);
const measurement = await runOnce(await load(), { turns: Number(turns), kind, folder, jsonBytes });
process.stdout.write(`${JSON.stringify(measurement)}\n`);
