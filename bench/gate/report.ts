import type { BasicReport } from "../measure/report.ts";
import { tableOf, thousands, verdict } from "../measure/table.ts";
import type { DecisionCost } from "./decisions.ts";

/** Everything that was measured. */
export interface Report extends BasicReport<"gate"> {
  readonly costs: readonly DecisionCost[];
}

/** The report as a text table. */
export function asTable(report: Report): string {
  return [
    `Gate, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now, for each command:",
    ...report.costs.map(costLine),
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

function costLine({ what, parsing, deciding }: DecisionCost): string {
  return `${what}: ${thousands(deciding)} µs to decide, of which ${thousands(parsing)} µs to parse`;
}
