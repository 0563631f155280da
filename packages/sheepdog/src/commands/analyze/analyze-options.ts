import type { Grouping } from "../../look-back/groups.ts";
import type { WorstBy } from "../../look-back/worst-runs.ts";
import type { Explanation } from "./chosen-explanation.ts";
import type { InputOptions } from "./input-options.ts";
import type { SecondOpinionOptions } from "./second-opinion-options.ts";

/** The options of `sheepdog analyze`. */
export interface AnalyzeOptions extends InputOptions, SecondOpinionOptions {
  readonly by?: Grouping;
  readonly top?: string;
  readonly sort?: WorstBy;
  readonly explain?: Explanation;
  readonly skipped?: true;
  readonly json?: true;
  readonly jsonl?: true;
  /** The file of the page; `-` for stdout. */
  readonly html?: string;
  /** Whether the page may replace any file. */
  readonly force?: true;
  readonly failOn?: readonly string[];
}
