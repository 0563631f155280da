import type { Skipped } from "@sheepdog/records";
import type { LookBackRun } from "../look-back-run.ts";
import type { FileAnswer } from "./analyze-items.ts";

/** What a look back keeps of a file. */
export interface FileFacts {
  readonly runs: readonly LookBackRun[];
  /** The first hundred. */
  readonly skipped: readonly Skipped[];
  /** The number of lines and files that were skipped besides. */
  readonly moreSkipped: number;
  /** Digests of all model requests in the file, those of copies too. */
  readonly requests: Float64Array;
  /** Those that were left out, because they are in another file; sorted. */
  readonly copies: Float64Array;
}

/** Collects the facts of a file. */
export interface FactsCollector {
  add(answer: FileAnswer): void;
  current(): FileFacts;
}

const MAX_SKIPPED = 100;

/** No model requests. */
export const noRequests: Float64Array = new Float64Array(0);

/** Creates a collector for a file from which these copies are left out. */
export function collectFacts(copies: Float64Array): FactsCollector {
  const runs: LookBackRun[] = [];
  const skipped: Skipped[] = [];
  let moreSkipped = 0;
  let requests = noRequests;
  return {
    add(answer) {
      if (answer.type === "run") runs.push(answer.run);
      else if (answer.type === "requests") requests = answer.requests;
      else if (skipped.length < MAX_SKIPPED) skipped.push(answer.skipped);
      else moreSkipped += answer.skipped.lines ?? 1;
    },
    current: () => ({ runs, skipped, moreSkipped, requests, copies }),
  };
}
