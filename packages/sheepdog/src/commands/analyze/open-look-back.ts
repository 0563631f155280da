import { existsSync } from "node:fs";
import type { Policy } from "@sheepdog/guardian";
import {
  createPrices,
  type FindOpinion,
  type PriceOverrides,
  type ReadItem,
  type RecordedRun,
  readRecording,
  readRecordingFile,
} from "@sheepdog/records";
import { resolveLogFolder } from "../../compose/log-folder.ts";
import { type Io, writeMessage } from "../../io.ts";
import { collectLookBack } from "../../look-back/collect-look-back.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { ownItems } from "../../look-back/own-items.ts";
import { ownLookBack } from "../../look-back/own-look-back.ts";
import { readLookBack } from "../../look-back/read-look-back.ts";
import { type FoundFile, findFiles, stdinPlace } from "../../look-back/scan/find-files.ts";
import type { ScanEvent } from "../../look-back/scan/scan-event.ts";
import { scanRecordings } from "../../look-back/scan/scan-recordings.ts";
import type { ScanRequest } from "../../look-back/scan/scan-request.ts";
import { ownSource } from "../../recordings/saved-run-recording.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { LookBackInput } from "./look-back-input.ts";

/** How runs are read besides what the input says. */
export interface LookBackOptions {
  /** Runs that are read already, as with second opinions; default: what the input says. */
  readonly items?: AsyncIterable<ReadItem>;
  readonly policy?: Policy;
  readonly findOpinion?: FindOpinion;
  onEvent?(event: ScanEvent): Promise<void> | void;
}

/** Reads and analyzes all runs of an input. */
export async function openLookBack(
  input: LookBackInput,
  io: Io,
  { items, policy = input.policy, findOpinion, onEvent }: LookBackOptions = {},
): Promise<LookBack> {
  const overrides = input.config.budget.pricing_overrides as PriceOverrides; // the schema allows numbers only
  const request = {
    policy,
    prices: await createPrices({ overrides }),
    now: input.now,
    ...(findOpinion === undefined ? {} : { findOpinion }),
  };
  const isScan = items === undefined && findOpinion === undefined;
  const scans: AsyncIterable<ScanEvent>[] = [
    isScan ? scanInput({ ...input, policy }, io) : readLookBack(items ?? inputItems(input, io), request),
  ];
  if (input.paths.length > 0 || (input.agent ?? ownSource) !== ownSource) return collectLookBack(scans, onEvent);
  return collectLookBack([...scans, ownRuns(input, io)], onEvent);
}

/** Reads the files of the input in threads, those that are not in the cache. */
function scanInput(input: LookBackInput, io: Io) {
  return scanRecordings({ ...scanRequest(input, io), cacheFile: input.home.lookBackCache });
}

function scanRequest({ paths, machine, config, policy, since, agent, isProject }: LookBackInput, io: Io): ScanRequest {
  return {
    machine,
    paths: paths.filter((path) => path !== "-"),
    ...(paths.includes("-") ? { stdin: io.stdin } : {}),
    policy,
    priceOverrides: config.budget.pricing_overrides as PriceOverrides, // as above
    ...(since === undefined ? {} : { since }),
    ...(agent === undefined ? {} : { agent }),
    ...(isProject === undefined ? {} : { isProject }),
  };
}

/** The wanted runs of the input. As in a scan, what a run copied is not in it, also if the file it is from is old. */
export async function* inputItems(input: LookBackInput, io: Io): AsyncGenerator<ReadItem> {
  const request = scanRequest(input, io);
  const { files, skipped } = await findFiles(request);
  for (const each of skipped) yield { type: "skipped", skipped: each };
  const old = new Set(files.flatMap(({ file, isOld }) => (isOld ? [file] : [])));
  for await (const item of ownItems(allItems(request, files))) {
    const { file } = item.type === "run" ? item : item.skipped;
    if (!old.has(file) && (item.type === "skipped" || isWanted(item.run, input))) yield item;
  }
}

async function* allItems({ stdin }: ScanRequest, files: readonly FoundFile[]): AsyncGenerator<ReadItem> {
  if (stdin !== undefined) yield* readRecording(stdin, stdinPlace.path);
  for (const { file } of files) yield* readRecordingFile(file);
}

/** As in a scan: the agent of a file in a standard place is known, and a run without times may be of any time. */
function isWanted(run: RecordedRun, { paths, agent, since, isProject }: LookBackInput): boolean {
  if (paths.length > 0 && agent !== undefined && run.source !== agent) return false;
  if (isProject !== undefined && !isProject(run.project ?? null)) return false;
  const times = run.steps.flatMap((step) => [step.at, ...step.calls.map(({ at }) => at)]);
  const known = times.filter((at) => at !== undefined);
  return since === undefined || known.length === 0 || known.some((at) => at >= since);
}

/** The runs of Sheepdog are in its database. If it cannot be read, a sentence says so, and other runs are read. */
async function* ownRuns({ home, policy, since, isProject, config }: LookBackInput, io: Io): AsyncGenerator<ScanEvent> {
  const logDir = resolveLogFolder(config, home);
  if (!existsSync(home.database) && !existsSync(logDir)) return;
  const { openStoresForReading } = await import("../../compose/open-stores.ts");
  const { DatabaseError } = await import("@sheepdog/agent");
  try {
    const { stores } = await openStoresForReading(home, logDir);
    try {
      yield* ownLookBack({
        stores,
        file: home.database,
        policy,
        ...(since === undefined ? {} : { since }),
        ...(isProject === undefined ? {} : { isProject }),
      });
    } finally {
      await stores.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await writeMessage(io, plainText(error.message));
  }
}
