import type { Row } from "./row.ts";

/** What every report has. Names no machine: ratios hold elsewhere, times do not. */
export interface BasicReport<Name extends string> {
  readonly benchmark: Name;
  readonly date: string;
  readonly node: string;
  readonly method: string;
  readonly rows: readonly Row[];
}
