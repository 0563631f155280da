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
  /** Digests of the model requests in the file, those of copies too. */
  readonly requests: Float64Array;
  /** Digests of those that are only in excerpts of runs which may be other recordings. */
  readonly excerptRequests: Float64Array;
  /** Those that were left out, because they are in another file; sorted. */
  readonly copies: Float64Array;
  /** Present when the file could not be read, for a reason that may pass: it is read again by the next look back. */
  readonly isTemporary?: true;
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
  let isTemporary = false;
  let requests = noRequests;
  let excerptRequests = noRequests;
  return {
    add(answer) {
      if (answer.type === "skipped" && answer.isTemporary) isTemporary = true;
      if (answer.type === "run") runs.push(answer.run);
      else if (answer.type === "requests") ({ requests, excerptRequests } = answer);
      else if (skipped.length < MAX_SKIPPED) skipped.push(answer.skipped);
      else moreSkipped += answer.skipped.lines ?? 1;
    },
    current: () => {
      const facts = { runs, skipped, moreSkipped, requests, excerptRequests, copies };
      return isTemporary ? { ...facts, isTemporary } : facts;
    },
  };
}
