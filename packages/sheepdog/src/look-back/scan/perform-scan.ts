import { setImmediate } from "node:timers/promises";
import { createPrices, readRecording } from "@sheepdog/records";
import { analyzeItems } from "./analyze-items.ts";
import { collectFacts, type FileFacts, noRequests } from "./file-facts.ts";
import { type FoundFile, stdinPlace } from "./find-files.ts";
import type { ReaderPool } from "./reader-pool.ts";
import { createRequestOwners, isSameList } from "./request-owners.ts";
import type { ScanCache } from "./scan-cache.ts";
import type { ScanLog } from "./scan-log.ts";
import type { ScanRequest } from "./scan-request.ts";

/** What a scan works with. */
export interface ScanTools {
  readonly files: readonly FoundFile[];
  readonly cache: ScanCache;
  readonly pool: ReaderPool;
  readonly log: ScanLog;
  readonly now: number;
}

/** Files from the cache that are taken before other work gets a chance. */
const FILES_PER_SLICE = 50;

/**
 * Reads all files that are not in the cache. A file is first read as if it held no copies; if the files before it own
 * some of its model requests, it is read again without these. Old files only own requests.
 */
export async function performScan(request: ScanRequest, { files, cache, pool, log, now }: ScanTools): Promise<void> {
  const { policy, priceOverrides } = request;
  const owners = createRequestOwners();
  const read = ({ file, bytes }: FoundFile, copies: Float64Array, isUrgent = false) =>
    pool.read({ file, copies, policy, priceOverrides, now }, { bytes, isUrgent });
  const finish = (file: FoundFile, facts: FileFacts) => {
    cache.save(file, facts);
    log.add(file, facts);
  };

  const readOnce = async (file: FoundFile) => {
    const facts = await read(file, noRequests);
    log.done(file, { isCached: false });
    if (file.isOld) cache.save(file, facts);
    return facts;
  };

  const unread = new Map(files.filter((file) => !cache.has(file)).map((file) => [file, readOnce(file)] as const));
  if (request.stdin !== undefined) owners.claim((await readStdin(request.stdin, request, log)).requests);
  const rereads: Promise<void>[] = [];
  const settle = ({ file, facts, isCached }: ClaimedFile, copies: Float64Array) => {
    if (!isSameList(copies, facts.copies)) rereads.push(read(file, copies, true).then((own) => finish(file, own)));
    else if (isCached) log.add(file, facts);
    else finish(file, facts);
  };
  const claimExcerpts: (() => void)[] = [];
  for (const [index, file] of files.entries()) {
    if (index % FILES_PER_SLICE === 0) await setImmediate();
    if (file.isOld) {
      const { requests, excerptRequests } = cache.loadRequests(file) ?? (await (unread.get(file) ?? readOnce(file)));
      owners.claim(requests);
      claimExcerpts.push(() => owners.claim(excerptRequests));
      continue;
    }
    const cached = cache.load(file);
    if (cached !== undefined) log.done(file, { isCached: true });
    const facts = cached ?? (await (unread.get(file) ?? readOnce(file)));
    const claimed = { file, facts, isCached: cached !== undefined };
    const copies = owners.claim(facts.requests);
    if (facts.excerptRequests.length === 0) settle(claimed, copies);
    else
      claimExcerpts.push(() =>
        settle(claimed, Float64Array.from([...copies, ...owners.claim(facts.excerptRequests)]).sort()),
      );
  }
  for (const claim of claimExcerpts) claim(); // an excerpt owns nothing that is in any run itself
  await Promise.all(rereads);
}

/** A file whose model requests are claimed. */
interface ClaimedFile {
  readonly file: FoundFile;
  readonly facts: FileFacts;
  readonly isCached: boolean;
}

/** Standard input cannot be read again, so it owns its model requests. */
async function readStdin(
  stdin: AsyncIterable<Uint8Array>,
  { policy, priceOverrides: overrides }: ScanRequest,
  log: ScanLog,
): Promise<FileFacts> {
  const file = stdinPlace.path;
  const prices = await createPrices({ overrides });
  const facts = collectFacts(noRequests);
  const context = { file, copies: noRequests, policy, prices, now: Date.now() };
  for await (const answer of analyzeItems(readRecording(stdin, file), context)) facts.add(answer);
  log.done({ bytes: 0, isOld: false }, { isCached: false });
  log.add({ place: stdinPlace }, facts.current());
  return facts.current();
}
