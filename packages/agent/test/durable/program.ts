import { jobs } from "./jobs/index.ts";

/** One job in a process of its own: `program.mjs <job> <its order as JSON>`. */
const [, , name = "", order = "{}"] = process.argv;
const job = jobs[name];
if (job === undefined) throw new Error(`Expected one of the jobs ${Object.keys(jobs).join(", ")}, got ${name}.`);
await job(JSON.parse(order) as never); // from a test, which knows its job
