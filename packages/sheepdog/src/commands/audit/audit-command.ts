import type { AuditEntry, AuditFilter, Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { styleFor } from "../../render/terminal/style.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { readSince, sinceForm } from "../since.ts";
import { auditDocument } from "./audit-document.ts";
import { auditLine } from "./audit-line.ts";
import { followAudit } from "./follow-audit.ts";

/** The options of `sheepdog audit`. */
export interface AuditOptions {
  readonly session?: string;
  readonly run?: string;
  readonly tool?: string;
  readonly decision?: AuditEntry["decision"];
  readonly tier?: string;
  readonly outcome?: NonNullable<AuditFilter["outcome"]>;
  readonly since?: string;
  readonly limit?: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

const defaultLimit = 50;
/** With `--follow`, as `tail` does. */
const defaultFollowLimit = 10;

/** Lists decisions about calls, newest first; or follows them, oldest first. */
export async function auditCommand(options: AuditOptions, io: Io): Promise<number> {
  const now = Date.now();
  const filter = readFilter(options, now);
  if (typeof filter === "string") {
    await writeMessage(io, plainText(filter));
    return exitCode.usage;
  }
  const { json = false, follow = false } = options;
  const style = styleFor(io.stdout, io.env);
  return withStores(
    io,
    async ({ stores }) => {
      const resolved = { ...filter, ...(await resolveIds(stores, options, now)) };
      if (follow) {
        const line = (entry: AuditEntry) =>
          json
            ? jsonText({ schemaVersion: 1, entry: auditDocument(entry) }, 0)
            : auditLine(entry, { style, now: Date.now(), isFollowed: true });
        return followAudit(stores.audit, {
          filter: resolved,
          io,
          print: (entry) => write(io.stdout, `${line(entry)}\n`),
        });
      }
      const entries = await stores.audit.list(resolved);
      if (json) await write(io.stdout, `${jsonText({ schemaVersion: 1, entries: entries.map(auditDocument) })}\n`);
      else if (entries.length === 0) await writeMessage(io, "no decision matches");
      else for (const entry of entries) await write(io.stdout, `${auditLine(entry, { style, now })}\n`);
      return exitCode.done;
    },
    { createDatabase: follow },
  );
}

/** The filter without ids; a sentence if an option is wrong. */
function readFilter(options: AuditOptions, now: number): AuditFilter | string {
  const { tool, decision, tier, outcome, since, limit, follow } = options;
  const count = limit === undefined ? (follow ? defaultFollowLimit : defaultLimit) : Number(limit);
  if (!(Number.isSafeInteger(count) && count > 0)) return `--limit is "${limit}"; it must be a whole number above 0`;
  if (tier !== undefined && !/^[Tt]?[0-4]$/.test(tier)) return `--tier is "${tier}"; it must be a number from 0 to 4`;
  const after = since === undefined ? undefined : readSince(since, now);
  if (since !== undefined && after === undefined) return `--since is "${since}"; it must be ${sinceForm}`;
  return {
    limit: count,
    ...(tool === undefined ? {} : { tool }),
    ...(decision === undefined ? {} : { decision }),
    ...(tier === undefined ? {} : { minTier: Number(tier.at(-1)) }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(after === undefined ? {} : { since: after }),
  };
}

/** The whole ids. The trail outlives its sessions, so that an unknown id is used as it is. */
async function resolveIds(
  stores: Stores,
  { session, run }: AuditOptions,
  now: number,
): Promise<Pick<AuditFilter, "sessionId" | "runId">> {
  const found = run === undefined ? undefined : await findRun(stores, run, now);
  const runId = found?.ok ? found.summary.run.runId : run;
  const sessions = session === undefined ? [] : (await stores.sessions.list()).map(({ sessionId }) => sessionId);
  const matching = sessions.filter((id) => session !== undefined && id.startsWith(session));
  const sessionId = session === undefined || sessions.includes(session) ? session : (only(matching) ?? session);
  return { ...(sessionId === undefined ? {} : { sessionId }), ...(runId === undefined ? {} : { runId }) };
}

function only(ids: readonly string[]): string | undefined {
  return ids.length === 1 ? ids[0] : undefined;
}
