/** Analyzes a recorded run: which interventions the guardian would have made. */
import { defaultPolicy } from "@sheepdog/guardian";
import { analyze, type RecordedRun } from "@sheepdog/records";

const run: RecordedRun = {
  id: "nightly-17",
  steps: Array.from({ length: 6 }, (_, turn) => ({
    turn,
    text: "Let me search once more.",
    calls: [
      {
        name: "search_docs",
        args: { query: ["refund rules", "rules for refund", "refund: rules"][turn % 3] },
        result: "No results found.",
        isError: false,
      },
    ],
    usage: { inputTokens: 9_000, outputTokens: 200, costUsd: 0.03 },
  })),
};

const report = analyze(run, defaultPolicy);
for (const { level, detector, call, message } of report.interventions)
  console.log(`${level} after call ${call}, ${detector}: ${message}`);
const { stuck, costUsd } = report;
console.log(
  `stuck from call ${stuck?.from} to ${stuck?.to}, $${stuck?.costUsd?.toFixed(2)} of $${costUsd?.toFixed(2)}`,
);
