import type { Report } from "@sheepdog/records";
import { type Io, type Output, write } from "../../io.ts";
import type { Reporter } from "./reporter.ts";
import { skippedInside } from "./skipped-lines.ts";

/** Prints the document of `--json` run by run, so that it never has to fit into memory. */
export function jsonReport(output: Output): Reporter {
  let runs = 0;
  return {
    run: ({ report }) => write(output, `${runs++ === 0 ? head : ",\n"}${JSON.stringify(report)}`),
    async end({ totals, skipped, skippedCount }) {
      const tail: Omit<Report, "schemaVersion" | "runs"> = { totals, skipped, skippedCount };
      await write(output, `${runs === 0 ? head : "\n"}],${JSON.stringify(tail).slice(1)}\n`);
    },
  };
}

const head = `{"schemaVersion":1,"runs":[\n`;

/** Prints the run objects of `--jsonl`, one per line. Skipped lines are reported on stderr. */
export function jsonlReport(io: Io): Reporter {
  return {
    run: ({ report }) => write(io.stdout, `${JSON.stringify(report)}\n`),
    async end({ skipped, skippedCount }) {
      for (const line of skippedInside(skipped, skippedCount)) await write(io.stderr, `${line}\n`);
    },
  };
}
