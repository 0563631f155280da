import { type Io, write } from "../../io.ts";
import type { Reporter } from "./reporter.ts";
import { skippedInside } from "./skipped-lines.ts";

/** The run objects of `--jsonl`, one a line; what was skipped is told beside them. */
export function jsonlReport(io: Io): Reporter {
  return {
    run: ({ report }) => write(io.stdout, `${JSON.stringify(report)}\n`),
    async end({ skipped, skippedCount }) {
      for (const line of skippedInside(skipped, skippedCount)) await write(io.stderr, `${line}\n`);
    },
  };
}
