import type { Report } from "@sheepdog/records";
import { type Output, write } from "../../io.ts";
import type { Reporter } from "./reporter.ts";

/** The document of `--json`, written as the runs come, so that it never has to fit into memory. */
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
