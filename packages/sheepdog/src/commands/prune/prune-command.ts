import { isLeaseActive, prune, type Stores } from "@sheepdog/agent";
import { findLeftoverMessages, removeMessages } from "../../control/leftover-messages.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { removeUnusedCache } from "../../look-back/scan/unused-cache.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";
import { confirm } from "../confirm.ts";
import { readAge } from "../since.ts";
import { readBytes } from "./byte-size.ts";
import { DAY_MS, type PruneLimits, type PruneResult, printPlan, printRemoved } from "./prune-text.ts";

/** The options of `sheepdog prune`. */
export interface PruneFlags {
  readonly olderThan?: string;
  readonly maxSize?: string;
  readonly auditOlderThan?: string;
  readonly withUnfinished?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const defaultMaxAgeMs = 90 * DAY_MS;
/** The audit trail outlives the sessions. */
const defaultAuditMaxAgeMs = 365 * DAY_MS;

/** Removes old sessions and logs, after it has listed them and the user has agreed. */
export async function pruneCommand(flags: PruneFlags, io: Io): Promise<number> {
  const limits = readLimits(flags);
  const auditMaxAgeMs = flags.auditOlderThan === undefined ? defaultAuditMaxAgeMs : readAge(flags.auditOlderThan);
  if (typeof limits === "string" || auditMaxAgeMs === undefined) {
    const wrongAge = `--audit-older-than is "${flags.auditOlderThan}"; it must be a time such as 12h, 30d or 8w`;
    await writeMessage(io, plainText(typeof limits === "string" ? limits : wrongAge));
    return exitCode.usage;
  }
  const needsConsent = flags.yes !== true && flags.dryRun !== true;
  if (needsConsent && (flags.json === true || !io.stdin.isTTY || !io.stderr.isTTY)) {
    await writeMessage(
      io,
      "there is no terminal to ask on, so nothing was removed; use --yes to remove, or --dry-run to see what would go",
    );
    return exitCode.usage;
  }
  return withStores(
    io,
    async (context) => {
      const options = {
        stores: context.stores,
        logDir: context.logDir,
        at: Date.now(),
        sessions: limits,
        logs: limits,
        // The trail shows what an agent did: what it starts from its shell removes none of it.
        ...(io.env["SHEEPDOG_CALL"] ? {} : { auditMaxAgeMs }),
        withUnfinished: flags.withUnfinished ?? false,
      };
      const { maxAgeMs = defaultMaxAgeMs } = limits;
      const isPlan = flags.dryRun === true || needsConsent;
      const planned = await prune({ ...options, isDryRun: isPlan });
      if (!isPlan) return finish(planned, { flags, io, context, maxAgeMs });
      if (!flags.json) await printPlan(planned, limits, { io, prompts: await lastPrompts(context.stores) });
      if (flags.dryRun === true) return flags.json ? printJson(planned, io) : exitCode.done;
      if (planned.sessions.length + planned.logs.length + planned.auditRows === 0) return exitCode.done;
      if (!(await confirm("Remove them?", io))) {
        await writeMessage(io, "nothing was removed");
        return exitCode.done;
      }
      return finish(await prune(options), { flags, io, context, maxAgeMs });
    },
    { isWriting: flags.dryRun !== true },
  );
}

/** The limits beyond which sessions and logs are removed; a sentence if a flag is wrong. */
function readLimits({ olderThan, maxSize }: PruneFlags): PruneLimits | string {
  const maxAgeMs = olderThan === undefined ? undefined : readAge(olderThan);
  if (olderThan !== undefined && maxAgeMs === undefined)
    return `--older-than is "${olderThan}"; it must be a time such as 12h, 30d or 8w`;
  const maxBytes = maxSize === undefined ? undefined : readBytes(maxSize);
  if (maxSize !== undefined && maxBytes === undefined)
    return `--max-size is "${maxSize}"; it must be a size such as 500MB or 1GB`;
  if (maxAgeMs === undefined && maxBytes === undefined) return { maxAgeMs: defaultMaxAgeMs };
  return { ...(maxAgeMs === undefined ? {} : { maxAgeMs }), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

interface Finishing {
  readonly flags: PruneFlags;
  readonly io: Io;
  readonly context: StoreContext;
  readonly maxAgeMs: number;
}

/** Removes leftover control messages and an unused cache as well, and prints what was removed. */
async function finish(removed: PruneResult, { flags, io, context, maxAgeMs }: Finishing): Promise<number> {
  const now = Date.now(); // the user may have waited before agreeing
  const { home, stores } = context;
  await removeMessages(home, await findLeftoverMessages(home, await liveRuns(stores, now), now));
  removeUnusedCache(home, now - maxAgeMs);
  if (flags.json) return printJson(removed, io);
  await printRemoved(removed, io);
  return exitCode.done;
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

async function lastPrompts(stores: Stores): Promise<ReadonlyMap<string, string>> {
  const summaries = await stores.sessions.list();
  return new Map(
    summaries.map(({ sessionId, lastRun }) => [sessionId, plainText((lastRun?.prompt ?? "").slice(0, 400))]),
  );
}

/** The `bytes` of a session are those of its JSON; the `bytes` of logs are those of the files. */
async function printJson({ isDryRun, sessions, logs, kept, bytes, auditRows }: PruneResult, io: Io): Promise<number> {
  const entry = ({ updatedAt, ...rest }: PruneResult["sessions"][number]) => ({
    ...rest,
    updatedAt: isoTime(updatedAt),
  });
  const document = {
    schemaVersion: 1,
    isDryRun,
    sessions: sessions.map(entry),
    logs: logs.map(entry),
    kept,
    bytes,
    auditRows,
  };
  await write(io.stdout, `${jsonText(document)}\n`);
  return exitCode.done;
}
