import { groupsOf } from "./groups.ts";
import type { LabelEntry } from "./labels.ts";

/** How many labels have a run on this machine. */
export interface Coverage {
  readonly labels: number;
  readonly withRun: number;
  readonly bySource: readonly SourceCoverage[];
}

export interface SourceCoverage {
  readonly source: string;
  readonly labels: number;
  readonly withRun: number;
  /** The labels that have a run, by verdict. */
  readonly stuck: number;
  readonly clean: number;
  readonly unclear: number;
}

export function coverageOf(entries: Iterable<LabelEntry>, hasRun: (key: string) => boolean): Coverage {
  const bySource = groupsOf(entries, ({ source }) => source).map(([source, members]) => {
    const covered = members.filter(({ key }) => hasRun(key));
    return {
      source,
      labels: members.length,
      withRun: covered.length,
      stuck: covered.filter(({ label }) => label?.verdict === "stuck").length,
      clean: covered.filter(({ label }) => label?.verdict === "clean").length,
      unclear: covered.filter(({ label }) => label === undefined).length,
    };
  });
  return {
    labels: bySource.reduce((sum, { labels }) => sum + labels, 0),
    withRun: bySource.reduce((sum, { withRun }) => sum + withRun, 0),
    bySource,
  };
}
