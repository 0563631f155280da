import { writeFileSync } from "node:fs";
import { measureRuns } from "./rounds.ts";

// node … child.ts <rounds> <isolated|open> <file>: measures complete runs and writes them to a file as JSON.
const [rounds = "1", isolation, file] = process.argv.slice(2);
if (file === undefined) throw new Error("Expected a number of rounds, isolated or open, and a file.");
// Process 1 of a PID namespace ignores signals that have no handler.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
writeFileSync(file, JSON.stringify(await measureRuns(Number(rounds), isolation === "isolated")));
