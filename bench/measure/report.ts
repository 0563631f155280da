import type { Row } from "./row.ts";

/** The fields of every report. A report names no machine: ratios hold on other machines, times do not. */
export interface BasicReport<Name extends string> {
  readonly benchmark: Name;
  readonly date: string;
  readonly node: string;
  readonly method: string;
  readonly rows: readonly Row[];
}
