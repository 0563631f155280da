import type { Policy } from "@sheepdog/guardian";
import {
  copyKeys,
  type Prices,
  priceRun,
  type ReadItem,
  type RecordedRun,
  redactSecrets,
  type Skipped,
  withoutCopies,
} from "@sheepdog/records";
import { maskedRecording } from "../../recordings/masked-recording.ts";
import { createSameIds } from "../../recordings/recording-entry.ts";
import { lookBackRun } from "../analyze-run.ts";
import type { LookBackRun } from "../look-back-run.ts";
import { requestDigest } from "./request-digest.ts";

/** What is found in a file: its runs and faults in their order, and at the end the digests of its model requests. */
export type FileAnswer =
  | { readonly type: "run"; readonly run: LookBackRun }
  | { readonly type: "skipped"; readonly skipped: Skipped; readonly isTemporary?: true }
  | { readonly type: "requests"; readonly requests: Float64Array; readonly excerptRequests: Float64Array };

/** How the runs of a file are judged and priced. */
export interface FileContext {
  readonly file: string;
  /** Digests of model requests that belong to other files. */
  readonly copies: Float64Array;
  readonly policy: Policy;
  readonly prices: Prices;
  /** The time of steps without one, in milliseconds since 1970. */
  readonly now: number;
}

/** Analyzes the runs of a file, one at a time. Nothing that it yields holds a secret. */
export async function* analyzeItems(items: AsyncIterable<ReadItem>, context: FileContext): AsyncGenerator<FileAnswer> {
  const { withoutKnown, requests, excerptRequests } = createCopyFilter(context.copies);
  const sameIdsOf = createSameIds();
  for await (const item of items) {
    if (item.type === "skipped") {
      yield { ...item, skipped: { ...item.skipped, why: redactSecrets(item.skipped.why) } };
      continue;
    }
    const { run, line } = item;
    const sameIds = sameIdsOf(run.id);
    const own = withoutKnown(run);
    if (own.steps.length === 0) continue; // all of it is in another recording, or there is nothing
    yield analyzeRun(own, { ...context, line, sameIds });
  }
  const onlyInExcerpts = [...excerptRequests].filter((digest) => !requests.has(digest));
  yield {
    type: "requests",
    requests: Float64Array.from(requests),
    excerptRequests: Float64Array.from(onlyInExcerpts),
  };
}

/** Leaves out the steps of a file's runs that are copies. */
export interface CopyFilter {
  /** The run without the model requests of other files, and without those of the runs before it. */
  withoutKnown(run: RecordedRun): RecordedRun;
  /** Digests of the requests so far, and of those in excerpts of other runs. */
  readonly requests: ReadonlySet<number>;
  readonly excerptRequests: ReadonlySet<number>;
}

/** Creates a filter for one file, some of whose requests belong to other files. */
export function createCopyFilter(ofOtherFiles: Float64Array): CopyFilter {
  const copies = new Set(ofOtherFiles);
  const requests = new Set<number>();
  const excerptRequests = new Set<number>();
  return {
    requests,
    excerptRequests,
    withoutKnown(run) {
      const digests = requestsOf(run);
      const own = withoutCopies(run, (request) => {
        const digest = digests.get(request) ?? 0;
        return copies.has(digest) || requests.has(digest) || excerptRequests.has(digest);
      });
      const known = run.isExcerpt ? excerptRequests : requests;
      for (const digest of digests.values()) known.add(digest);
      return own;
    },
  };
}

function requestsOf(run: RecordedRun): ReadonlyMap<string, number> {
  return new Map([...copyKeys(run).values()].map((request) => [request, requestDigest(run.source, request)]));
}

interface RunContext extends FileContext {
  readonly line: number;
  readonly sameIds: number;
}

/** No recording, however odd, may stop the analysis of the others. */
function analyzeRun(run: RecordedRun, { file, line, sameIds, policy, prices, now }: RunContext): FileAnswer {
  try {
    const masked = maskedRecording(priceRun(run, prices, now));
    return { type: "run", run: lookBackRun(masked, { file, line, sameIds, policy }) };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { type: "skipped", skipped: { file, line, why: `this run cannot be analyzed: ${redactSecrets(cause)}` } };
  }
}
