import { isLeaseActive, prune, type Stores } from "@sheepdog/agent";
import { findLeftoverMessages, removeMessages } from "../../control/leftover-messages.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";
import { readAge } from "../since.ts";
import { askYes } from "./ask-yes.ts";
import { bytesText, readBytes } from "./bytes.ts";

export interface PruneFlags {
  readonly olderThan?: string;
  readonly maxSize?: string;
  readonly withUnfinished?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

type Pruned = Awaited<ReturnType<typeof prune>>;

const dayMs = 86_400_000;
const usualAgeMs = 90 * dayMs;

/** Removes old sessions and logs, after it was said which, and somebody has agreed. */
export async function pruneCommand(flags: PruneFlags, io: Io): Promise<number> {
  const keep = readKeep(flags);
  if (typeof keep === "string") {
    await writeMessage(io, plainText(keep));
    return exitCode.usage;
  }
  const isAsked = flags.yes !== true && flags.dryRun !== true;
  if (isAsked && (flags.json === true || !io.stdin.isTTY || !io.stderr.isTTY)) {
    await writeMessage(io, "nobody can be asked here: --dry-run shows what would be removed, --yes removes it");
    return exitCode.usage;
  }
  return withStores(io, async (books) => {
    const options = {
      stores: books.stores,
      logDir: books.logDir,
      at: Date.now(),
      sessions: keep,
      logs: keep,
      withUnfinished: flags.withUnfinished ?? false,
    };
    const isPlan = flags.dryRun === true || isAsked;
    const planned = await prune({ ...options, isDryRun: isPlan });
    if (!isPlan) return done(planned, { flags, io, books });
    if (!flags.json) await tellPlan(planned, keep, { io, prompts: await promptsOf(books.stores) });
    if (flags.dryRun === true) return flags.json ? tellJson(planned, io) : exitCode.done;
    if (planned.sessions.length + planned.logs.length === 0) return exitCode.done;
    if (!(await askYes("Remove them?", io))) {
      await writeMessage(io, "nothing was removed");
      return exitCode.done;
    }
    return done(await prune(options), { flags, io, books });
  });
}

interface Keep {
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

/** What is kept; a sentence where that is nonsense. */
function readKeep({ olderThan, maxSize }: PruneFlags): Keep | string {
  const maxAgeMs = olderThan === undefined ? undefined : readAge(olderThan);
  if (olderThan !== undefined && maxAgeMs === undefined)
    return `--older-than is "${olderThan}"; it must be a time as in 12h, 30d or 8w`;
  const maxBytes = maxSize === undefined ? undefined : readBytes(maxSize);
  if (maxSize !== undefined && maxBytes === undefined)
    return `--max-size is "${maxSize}"; it must be a size as in 500MB or 1GB`;
  if (maxAgeMs === undefined && maxBytes === undefined) return { maxAgeMs: usualAgeMs };
  return { ...(maxAgeMs === undefined ? {} : { maxAgeMs }), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

async function liveRuns(stores: Stores, at: number): Promise<(runId: string) => boolean> {
  const summaries = await stores.sessions.list();
  const live = new Set(
    summaries.flatMap(({ holder, renewedAt, lastRun }) =>
      holder !== undefined && lastRun !== undefined && isLeaseActive(holder, renewedAt ?? at, at)
        ? [lastRun.runId]
        : [],
    ),
  );
  return (runId) => live.has(runId);
}

interface Around {
  readonly flags: PruneFlags;
  readonly io: Io;
  readonly books: StoreContext;
}

async function done(pruned: Pruned, { flags, io, books }: Around): Promise<number> {
  const now = Date.now(); // somebody may have taken their time to agree
  await removeMessages(books.home, await findLeftoverMessages(books.home, await liveRuns(books.stores, now), now));
  if (flags.json) return tellJson(pruned, io);
  await write(io.stdout, `Removed ${amountOf(pruned)}. The books keep what they cost.\n`);
  await tellKept(pruned, io);
  return exitCode.done;
}

async function tellPlan(
  planned: Pruned,
  keep: Keep,
  { io, prompts }: { readonly io: Io; readonly prompts: ReadonlyMap<string, string> },
): Promise<void> {
  const width = columnsOf(io.stdout, io.env);
  const age =
    keep.maxAgeMs === undefined
      ? []
      : [`what was not written to for ${counted(Math.round((keep.maxAgeMs / dayMs) * 10) / 10, "day")}`];
  const size =
    keep.maxBytes === undefined
      ? []
      : [`the oldest of what is above ${bytesText(keep.maxBytes)} of sessions, or of logs`];
  await write(
    io.stdout,
    `${wrap(`To be removed is ${[...age, ...size].join(", and ")}: ${amountOf(planned)}.`, width).join("\n")}\n`,
  );
  for (const { sessionId, updatedAt, bytes } of planned.sessions.slice(0, shownAtMost))
    await write(
      io.stdout,
      `${cut(`  ${plainText(sessionId)}  ${isoTime(updatedAt)?.slice(0, 10) ?? ""}  ${bytesText(bytes)}  ${prompts.get(sessionId) ?? ""}`, width)}\n`,
    );
  if (planned.sessions.length > shownAtMost)
    await write(io.stdout, `  and ${counted(planned.sessions.length - shownAtMost, "more session")}\n`);
  await tellKept(planned, io);
}

const shownAtMost = 20;

async function promptsOf(stores: Stores): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await stores.sessions.list()).map(({ sessionId, lastRun }) => [
      sessionId,
      plainText((lastRun?.prompt ?? "").slice(0, 400)),
    ]),
  );
}

async function tellKept({ kept }: Pruned, io: Io): Promise<void> {
  for (const { sessionId, why } of kept.slice(0, shownAtMost))
    await writeMessage(io, plainText(`${sessionId} stays: ${why}`));
  if (kept.length > shownAtMost)
    await writeMessage(io, `${counted(kept.length - shownAtMost, "more session")} stay, for such reasons`);
}

function amountOf({ sessions, logs, bytes }: Pruned): string {
  if (sessions.length + logs.length === 0) return "nothing";
  return `${counted(sessions.length, "session")} and the logs of ${logs.length.toLocaleString("en-US")}, ${bytesText(bytes)}`;
}

/** `bytes` of a session are those of its JSON; of logs, those of the files. */
async function tellJson({ isDryRun, sessions, logs, kept, bytes }: Pruned, io: Io): Promise<number> {
  const documentOf = ({ updatedAt, ...one }: Pruned["sessions"][number]) => ({ ...one, updatedAt: isoTime(updatedAt) });
  await write(
    io.stdout,
    `${jsonText({ schemaVersion: 1, isDryRun, sessions: sessions.map(documentOf), logs: logs.map(documentOf), kept, bytes })}\n`,
  );
  return exitCode.done;
}
