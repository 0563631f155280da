import { setTimeout } from "node:timers/promises";
import type { PriceOverrides } from "@sheepdog/records";
import { exitCode } from "../../../exit-code.ts";
import { type Io, write, writeMessage } from "../../../io.ts";
import type { ScanRequest } from "../../../look-back/scan/scan-request.ts";
import { createRecordingWatch, type SeenIntervention } from "../../../look-back/watch-recordings.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../../render/terminal/style.ts";
import type { InputOptions } from "../input-options.ts";
import { chooseInput, type LookBackInput, ownAgentId } from "../look-back-input.ts";
import { createAnnouncer } from "./announcer.ts";
import { watchDocument, watchLines } from "./watch-lines.ts";

export interface WatchCommandOptions extends InputOptions {
  readonly bell?: boolean;
  readonly channels?: boolean;
  readonly json?: true;
}

const EVERY_MS = 2_000;

/** Follows recordings until it is interrupted. */
export async function watchCommand(paths: readonly string[], options: WatchCommandOptions, io: Io): Promise<number> {
  const chosen = await chooseInput(paths, options, io);
  const problems = [
    ...(chosen.ok ? [] : chosen.problems),
    ...(paths.includes("-") ? ["stdin cannot be watched; name files or folders"] : []),
    ...(chosen.ok && chosen.input.agent === ownAgentId
      ? ["runs of Sheepdog have a guardian of their own; to follow them: sheepdog serve"]
      : []),
  ];
  if (!chosen.ok || problems.length > 0) {
    for (const problem of problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  for (const note of chosen.notes) await writeMessage(io, plainText(note));
  return follow(chosen.input, options, io);
}

async function follow(input: LookBackInput, options: WatchCommandOptions, io: Io): Promise<number> {
  const interrupted = new AbortController();
  const removeListener = io.onInterrupt(() => interrupted.abort());
  const announce = createAnnouncer(input, { ...options, io });
  const watch = createRecordingWatch(scanRequest(input), { now: Date.now });
  const runs = new Set<string>();
  try {
    for (let isFirst = true; !interrupted.signal.aborted; isFirst = false) {
      const found = await watch.look();
      if (isFirst) await writeMessage(io, firstSentence(watch.active()));
      for (const seen of found) {
        runs.add(seen.run.id);
        await print(seen, options, io);
        announce(seen);
      }
      await setTimeout(EVERY_MS, undefined, { signal: interrupted.signal }).catch(() => {}); // interrupted
    }
    await writeMessage(io, lastSentence(runs.size));
    return exitCode.done;
  } finally {
    removeListener();
  }
}

function scanRequest({ machine, paths, policy, config, agent, isProject }: LookBackInput): ScanRequest {
  return {
    machine,
    paths,
    policy,
    priceOverrides: config.budget.pricing_overrides as PriceOverrides, // the schema allows numbers only
    ...(agent === undefined ? {} : { agent }),
    ...(isProject === undefined ? {} : { isProject }),
  };
}

function firstSentence(active: number): string {
  if (active === 0) return "no agent recorded anything in the last half hour; watching for new recordings until Ctrl-C";
  return `watching ${counted(active, "recording")} of the last half hour, and new ones, until Ctrl-C`;
}

function lastSentence(runs: number): string {
  return runs === 0 ? "nothing went in circles while it was watched" : `${counted(runs, "run")} went in circles`;
}

async function print(seen: SeenIntervention, { json }: WatchCommandOptions, io: Io): Promise<void> {
  const now = Date.now();
  if (json) return write(io.stdout, `${JSON.stringify(watchDocument(seen, now))}\n`);
  const width = columnsOf(io.stdout, io.env);
  const lines = watchLines(seen, { now, width, style: styleFor(io.stdout, io.env) });
  return write(io.stdout, `${lines.join("\n")}\n`);
}
