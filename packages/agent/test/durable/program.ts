import { jobs } from "./jobs/index.ts";

/** Runs one job: `program.mjs <job> <input as JSON>`. */
const [, , name = "", input = "{}"] = process.argv;
const job = jobs[name];
if (job === undefined) throw new Error(`Expected one of the jobs ${Object.keys(jobs).join(", ")}, got ${name}.`);
await job(JSON.parse(input) as never); // the test passes the input of this job
