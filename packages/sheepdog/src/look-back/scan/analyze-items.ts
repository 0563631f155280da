import type { Policy } from "@sheepdog/guardian";
import {
  copyKey,
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
  const copies = new Set(context.copies);
  const requests = new Set<number>();
  const excerptRequests = new Set<number>();
  const sameIdsOf = createSameIds();
  for await (const item of items) {
    if (item.type === "skipped") {
      yield { ...item, skipped: { ...item.skipped, why: redactSecrets(item.skipped.why) } };
      continue;
    }
    const { run, line } = item;
    const sameIds = sameIdsOf(run.id);
    const ownRequests = requestsOf(run);
    const digestOf = (request: string) => ownRequests.get(request) ?? 0;
    const own = withoutCopies(run, (request) => {
      const digest = digestOf(request);
      return copies.has(digest) || requests.has(digest) || excerptRequests.has(digest);
    });
    const known = run.isExcerpt ? excerptRequests : requests;
    for (const digest of ownRequests.values()) known.add(digest);
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

function requestsOf({ source, steps }: RecordedRun): ReadonlyMap<string, number> {
  const requests = steps.flatMap((step) => copyKey(step) ?? []);
  return new Map(requests.map((request) => [request, requestDigest(source, request)]));
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
