import { existsSync } from "node:fs";
import type { Policy } from "@sheepdog/guardian";
import {
  agentPlaces,
  createPrices,
  type FindOpinion,
  findAgentRecordings,
  type PriceOverrides,
  type ReadItem,
  type RecordedRun,
  readRecording,
  readRecordingFile,
  readRecordings,
} from "@sheepdog/records";
import type { Io } from "../../io.ts";
import { collectLookBack } from "../../look-back/collect-look-back.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { ownLookBack } from "../../look-back/own-look-back.ts";
import { readLookBack } from "../../look-back/read-look-back.ts";
import type { ScanEvent } from "../../look-back/scan/scan-event.ts";
import { scanRecordings } from "../../look-back/scan/scan-recordings.ts";
import { type LookBackInput, ownAgentId } from "./look-back-input.ts";

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
    isWanted: (run: RecordedRun) => isWanted(run, input),
    ...(findOpinion === undefined ? {} : { findOpinion }),
  };
  const isScan = items === undefined && findOpinion === undefined;
  const scans: AsyncIterable<ScanEvent>[] = [
    isScan ? scanInput({ ...input, policy }, io) : readLookBack(items ?? inputItems(input, io), request),
  ];
  if (input.paths.length > 0 || (input.agent ?? ownAgentId) !== ownAgentId) return collectLookBack(scans, onEvent);
  return withOwnRuns(input, scans, onEvent);
}

/** Reads the files of the input in threads, those that are not in the cache. */
function scanInput({ paths, machine, home, config, policy, since, agent, isProject }: LookBackInput, io: Io) {
  return scanRecordings({
    machine,
    paths: paths.filter((path) => path !== "-"),
    ...(paths.includes("-") ? { stdin: io.stdin } : {}),
    policy,
    priceOverrides: config.budget.pricing_overrides as PriceOverrides, // as above
    cacheFile: home.lookBackCache,
    ...(since === undefined ? {} : { since }),
    ...(agent === undefined ? {} : { agent }),
    ...(isProject === undefined ? {} : { isProject }),
  });
}

/** All runs of the input, from their beginning. */
export async function* inputItems({ paths, machine, agent }: LookBackInput, io: Io): AsyncGenerator<ReadItem> {
  if (paths.includes("-")) yield* readRecording(io.stdin, "stdin");
  yield* readRecordings(paths.filter((path) => path !== "-"));
  if (paths.length > 0) return;
  const places = agentPlaces(machine).filter((place) => agent === undefined || place.agent === agent);
  for await (const found of findAgentRecordings(places)) {
    if (found.type === "skipped") yield found;
    else yield* readRecordingFile(found.file);
  }
}

function isWanted(run: RecordedRun, { agent, since, isProject }: LookBackInput): boolean {
  if (agent !== undefined && run.source !== agent) return false;
  if (isProject !== undefined && !isProject(run.project ?? null)) return false;
  return (
    since === undefined ||
    run.steps.some(({ at, calls }) => isSince(at, since) || calls.some((call) => isSince(call.at, since)))
  );
}

function isSince(at: number | undefined, since: number): boolean {
  return at !== undefined && at >= since;
}

/** The runs of Sheepdog are in its database. Nothing is created where there is none. */
async function withOwnRuns(
  { home, policy, since, isProject, config }: LookBackInput,
  scans: readonly AsyncIterable<ScanEvent>[],
  onEvent: LookBackOptions["onEvent"],
): Promise<LookBack> {
  if (!existsSync(home.database)) return collectLookBack(scans, onEvent);
  const { openStores } = await import("../../compose/open-stores.ts");
  const { resolveLogFolder } = await import("../../compose/log-folder.ts");
  const { stores } = await openStores(home, resolveLogFolder(config, home));
  try {
    const own = ownLookBack({
      stores,
      file: home.database,
      policy,
      ...(since === undefined ? {} : { since }),
      ...(isProject === undefined ? {} : { isProject }),
    });
    return await collectLookBack([...scans, own], onEvent);
  } finally {
    await stores.close();
  }
}
