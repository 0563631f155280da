import { contestantOf } from "./contestants/index.ts";
import { playOnce } from "./play-once.ts";

// node … once.ts <contestant> <turns> <read|mutate> <folder>: one conversation and the end, for those who look at the process from outside.
const [name, turns = "200", kind = "read", folder] = process.argv.slice(2);
if (folder === undefined || (kind !== "read" && kind !== "mutate"))
  throw new Error("Expected a contestant, a number of turns, read or mutate, and a folder.");
const { open, jsonBytes } = contestantOf(name);
const taken = await playOnce(await open(), { turns: Number(turns), kind, folder, jsonBytes });
process.stdout.write(`${JSON.stringify(taken)}\n`);
