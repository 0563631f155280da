// Imported before a measured program: writes the peak of its memory, in kB, to its file 3 when it exits.
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread) process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));
