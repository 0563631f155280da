import type { LimitName } from "@sheepdog/guardian";
import { buildRunPolicy } from "../../config/policy/run-policy.ts";
import { sendMessage } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import { resumeCommand } from "../../saved-runs/resume-command.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";
import { type Raise, readRaise } from "./raise.ts";

/** How long it takes a run to hear an order, at most. */
const hearMs = 3_000;

/** Sets a limit of a run anew while another process works it off. */
export async function raiseCommand(id: string, words: readonly string[], io: Io): Promise<number> {
  const fail = async (sentence: string, code: number) => {
    await writeMessage(io, plainText(sentence));
    return code;
  };
  const read = readRaise(words);
  if (!read.ok) return fail(read.problem, exitCode.usage);
  return withStores(io, async (books) => {
    const found = await findRun(books.stores, id, Date.now());
    if (!found.ok) return fail(found.problem, exitCode.usage);
    const { summary } = found;
    const { run, state } = summary;
    if (run.billingSessionId !== undefined)
      return fail(
        `${run.runId} is a subagent's run, on the budget of the one that started it: raise that of ${run.billingSessionId}`,
        exitCode.usage,
      );
    if (!isLive(state))
      return fail(notRunning(summary, await goingOn(books, summary, read.value, io.cwd)), exitCode.usage);
    const { limit, amount, isMore, words: inWords } = read.value;
    const order = isMore
      ? ({ type: "limit", limit, more: amount } as const)
      : ({ type: "limit", limit, stop: amount, ...warnOf(books, read.value) } as const);
    const sent = await sendMessage(books.home, run.runId, order).catch((error: unknown) =>
      String(error instanceof Error ? error.message : error),
    );
    if (typeof sent === "string") return fail(`the order cannot be written (${sent})`, exitCode.failed);
    const heard = await sent.taken(hearMs);
    switch (heard.type) {
      case "taken":
        await write(io.stdout, `${run.runId} may ${inWords(heard.limit ?? amount)} in all now.\n`);
        return exitCode.done;
      case "refused":
        return fail(
          `${run.runId} has no such limit to add to, and nothing was changed; without the + it gets one`,
          exitCode.usage,
        );
      case "unheard":
        if (await isStillLive(books, run.runId))
          return fail(
            `${run.runId} did not pick it up, and nothing was changed: its process hangs, or is none that listens`,
            exitCode.failed,
          );
        break;
      case "ended":
        break;
      default:
        return heard satisfies never;
    }
    return fail(`${run.runId} ended before it heard of it; \`sheepdog show ${run.runId}\` tells how`, exitCode.failed);
  });
}

async function isStillLive({ stores }: StoreContext, runId: string): Promise<boolean> {
  const found = await findRun(stores, runId, Date.now());
  return found.ok && isLive(found.summary.state);
}

function notRunning({ run, state }: RunSummary, command: string | undefined): string {
  return `${run.runId} is not running (${describeState(state, run.reason)})${command === undefined ? "" : `; to go on with more: ${command}`}`;
}

/** The command that goes on with more. A run that broke off goes on counting from where it was; after one that has ended a new one begins, with nothing used. */
async function goingOn(
  { stores, config }: StoreContext,
  kept: RunSummary,
  { limit, amount, isMore, flag }: Raise,
  cwd: string,
): Promise<string | undefined> {
  const base = isMore ? await usedOf(stores, kept, limit) : 0;
  const configured = isMore && !isOfRun(limit) ? buildRunPolicy(config) : undefined;
  const before = configured?.ok ? (configured.policy.limits[limit]?.stop ?? 0) : base;
  return resumeCommand(kept, cwd, flag(before + amount));
}

async function usedOf(
  stores: StoreContext["stores"],
  { sessionId, run, state, turns, costNanoUsd }: RunSummary,
  limit: LimitName,
): Promise<number> {
  if (state !== "broken_off") return 0;
  if (limit === "turns") return turns;
  if (limit === "run-cost") return costNanoUsd ?? 0;
  const { checkpoint } = await stores.sessions.load(sessionId);
  if (checkpoint?.runId !== run.runId) return 0;
  return limit === "time" ? checkpoint.guardian.clock.workMs : (checkpoint.guardian.limits[limit]?.used ?? 0);
}

function isOfRun(limit: LimitName): boolean {
  return limit !== "session-cost" && limit !== "day-cost" && limit !== "month-cost";
}

/** A limit of the run itself warns again on the way to it. */
function warnOf({ config }: StoreContext, { limit, amount }: Raise): { readonly warn?: number } {
  const share = config.budget.per_run_warning_percent / 100;
  return (limit === "run-cost" || limit === "run-tokens") && share > 0 ? { warn: Math.round(amount * share) } : {};
}
