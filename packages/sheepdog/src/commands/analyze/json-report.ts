import { write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import type { Report } from "./report.ts";
import { runDocument } from "./run-document.ts";
import { totalsDocument } from "./totals-document.ts";

/** Prints the document of `--json` run by run: as one text, a large one would not fit into a string. */
export const jsonReport: Report = async (lookBack, { io }) => {
  const { runs, insideLoops, scan } = lookBack;
  await write(io.stdout, `{"schemaVersion":1,"runs":[`);
  for (const [index, run] of runs.entries())
    await write(io.stdout, `${index === 0 ? "\n" : ",\n"}${jsonText(runDocument(run, insideLoops), 0)}`);
  const { totals, groups } = totalsDocument(lookBack);
  const { skipped, skippedCount, places, files, bytes } = scan;
  const rest = { totals, groups, skipped, skippedCount, scan: { places, files, bytes } };
  await write(io.stdout, `${runs.length === 0 ? "" : "\n"}],${jsonText(rest, 0).slice(1)}\n`);
};

/** Prints the run objects of `--jsonl`, one per line. */
export const jsonlReport: Report = async ({ runs, insideLoops }, { io }) => {
  for (const run of runs) await write(io.stdout, `${jsonText(runDocument(run, insideLoops), 0)}\n`);
};
