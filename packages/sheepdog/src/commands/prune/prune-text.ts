import type { prune } from "@sheepdog/agent";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { bytesText } from "./byte-size.ts";

/** What `prune` removed, or would remove. */
export type PruneResult = Awaited<ReturnType<typeof prune>>;

/** The limits beyond which sessions and logs are removed. */
export interface PruneLimits {
  readonly maxAgeMs?: number;
  readonly maxBytes?: number;
}

export const DAY_MS = 86_400_000;
const MAX_SHOWN = 20;

/** Prints what would be removed. */
export async function printPlan(
  planned: PruneResult,
  { maxAgeMs, maxBytes }: PruneLimits,
  { io, prompts }: { readonly io: Io; readonly prompts: ReadonlyMap<string, string> },
): Promise<void> {
  const width = columnsOf(io.stdout, io.env);
  const rules = [
    ...(maxAgeMs === undefined ? [] : [`unchanged for ${counted(Math.round((maxAgeMs / DAY_MS) * 10) / 10, "day")}`]),
    ...(maxBytes === undefined ? [] : [`the oldest above ${bytesText(maxBytes)} of sessions, or of logs`]),
  ];
  const head = wrap(`To be removed (${rules.join(", and ")}): ${amounts(planned)}.`, width);
  const shown = planned.sessions.slice(0, MAX_SHOWN).map(({ sessionId, updatedAt, bytes }) => {
    const date = isoTime(updatedAt)?.slice(0, 10) ?? "";
    const prompt = prompts.get(sessionId) ?? "";
    return cut(`  ${plainText(sessionId)}  ${date}  ${bytesText(bytes)}  ${prompt}`, width);
  });
  const omitted = planned.sessions.length - shown.length;
  const more = omitted > 0 ? [`  and ${counted(omitted, "more session")}`] : [];
  for (const line of [...head, ...shown, ...more]) await write(io.stdout, `${line}\n`);
  await reportRemaining(planned, io);
}

/** Prints what was removed. */
export async function printRemoved(removed: PruneResult, io: Io): Promise<void> {
  const isEmpty = removed.sessions.length + removed.logs.length + removed.auditRows === 0;
  const sentence = isEmpty
    ? "There was nothing to remove."
    : `Removed ${amounts(removed)}.${removed.sessions.length > 0 ? " Their costs stay in the ledger." : ""}`;
  await write(io.stdout, `${sentence}\n`);
  await reportRemaining(removed, io);
}

async function reportRemaining({ kept }: PruneResult, io: Io): Promise<void> {
  for (const { sessionId, why } of kept.slice(0, MAX_SHOWN))
    await writeMessage(io, plainText(`${sessionId} stays: ${why}`));
  if (kept.length > MAX_SHOWN)
    await writeMessage(io, `${counted(kept.length - MAX_SHOWN, "more session")} stay for similar reasons`);
}

function amounts({ sessions, logs, bytes, auditRows }: PruneResult): string {
  const audit = auditRows === 0 ? [] : [`${counted(auditRows, "row")} of the audit trail`];
  const logCount = logs.length.toLocaleString("en-US");
  const saved = `${counted(sessions.length, "session")} and the logs of ${logCount}, ${bytesText(bytes)}`;
  return [...(sessions.length + logs.length === 0 ? [] : [saved]), ...audit].join(", and ") || "nothing";
}
