import { copyKeys, type ReadItem, redactSecrets, withoutCopies } from "@sheepdog/records";
import { maskedRecording } from "../recordings/masked-recording.ts";

type RunItem = Extract<ReadItem, { readonly type: "run" }>;

/**
 * The runs without the model requests that an earlier one has, and the faults; nothing of it holds a secret. Excerpts
 * come last, since they own nothing that is in any run itself. Runs of which nothing is left are left out.
 */
export async function* ownItems(items: AsyncIterable<ReadItem>): AsyncGenerator<ReadItem> {
  const requests = new Set<string>();
  const excerpts: RunItem[] = [];
  for await (const item of items) {
    if (item.type === "skipped") yield { ...item, skipped: { ...item.skipped, why: redactSecrets(item.skipped.why) } };
    else if (item.run.isExcerpt) excerpts.push(item);
    else yield* ownRun(item, requests);
  }
  for (const item of excerpts) yield* ownRun(item, requests);
}

/** Claims the requests of a run. */
function* ownRun(item: RunItem, requests: Set<string>): Generator<RunItem> {
  const { run } = item;
  const keyOf = (request: string) => `${run.source} ${request}`;
  const own = withoutCopies(run, (request) => requests.has(keyOf(request)));
  for (const request of copyKeys(run).values()) requests.add(keyOf(request));
  if (own.steps.length > 0) yield { ...item, run: maskedRecording(own) };
}
