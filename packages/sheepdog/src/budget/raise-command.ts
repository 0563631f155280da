import { policyOf } from "../agent/policy-of.ts";
import { exitCode } from "../exit-code.ts";
import { complain, type Io, write } from "../io.ts";
import { sendOrder, toldLimits } from "../orders/orders.ts";
import { findRun } from "../runs/find-run.ts";
import type { KeptRun } from "../runs/kept-run.ts";
import { resumeCommand } from "../runs/resume-command.ts";
import { isLive, stateWords } from "../runs/state-words.ts";
import { type Books, withBooks } from "../runs/with-books.ts";
import { plainText } from "../terminal/plain-text.ts";
import { type Raise, readRaise } from "./raise.ts";

/** How long it takes a run to hear an order, at most. */
const hearMs = 3_000;

/** Sets a limit of a run anew while another process works it off. */
export async function raiseCommand(id: string, words: readonly string[], io: Io): Promise<number> {
  const fail = async (sentence: string, code: number) => {
    await complain(io, plainText(sentence));
    return code;
  };
  const read = readRaise(words);
  if (!read.ok) return fail(read.problem, exitCode.usage);
  return withBooks(io, async (books) => {
    const found = await findRun(books.stores, id, Date.now());
    if (!found.ok) return fail(found.problem, exitCode.usage);
    const { kept } = found;
    const { run, state } = kept;
    const stop = await inAll(books, kept, read.value);
    if (run.bookedTo !== undefined)
      return fail(`${run.runId} is a sub-agent's run, on the budget of the one that started it: raise that of ${run.bookedTo}`, exitCode.usage);
    if (!isLive(state)) {
      const command = resumeCommand(kept, io.cwd, read.value.flag(stop));
      return fail(
        `${run.runId} is not running (${stateWords(state, run.reason)})${command === undefined ? "" : `; to go on with more: ${command}`}`,
        exitCode.usage,
      );
    }
    const order = { type: "limit", limit: read.value.limit, stop, ...warnOf(books, read.value, stop) } as const;
    const sent = await sendOrder(books.home, run.runId, order).catch((error: unknown) => String(error instanceof Error ? error.message : error));
    if (typeof sent === "string") return fail(`the order cannot be written (${sent})`, exitCode.failed);
    const heard = await sent.taken(hearMs);
    if (heard === "ended") return fail(`${run.runId} ended before it heard of it; \`sheepdog show ${run.runId}\` tells how`, exitCode.failed);
    if (heard === "unheard")
      return fail(`${run.runId} did not pick it up, and nothing was changed: its process hangs, or is none that listens`, exitCode.failed);
    await write(io.stdout, `${run.runId} may ${read.value.words(stop)} in all now.\n`);
    return exitCode.done;
  });
}

/** The new limit. More than there is means more than the limit that is known, or where there is none, than what was used. */
async function inAll({ stores, config, home }: Books, { sessionId, run, turns, costNanoUsd }: KeptRun, { limit, amount, isMore }: Raise): Promise<number> {
  if (!isMore) return amount;
  const { checkpoint } = await stores.sessions.load(sessionId);
  const guardian = checkpoint?.runId === run.runId ? checkpoint.guardian : undefined;
  const configured = policyOf(config);
  const told = await toldLimits(home, run.runId);
  const known = guardian?.ownLimits[limit]?.stop ?? told[limit] ?? (configured.ok ? configured.policy.limits[limit]?.stop : undefined);
  const used =
    limit === "turns"
      ? turns
      : limit === "run-cost"
        ? (costNanoUsd ?? 0)
        : limit === "time"
          ? (guardian?.clock.workMs ?? 0)
          : (guardian?.limits[limit]?.used ?? 0);
  return (known || used) + amount;
}

/** A limit of the run itself warns again on the way to it. */
function warnOf({ config }: Books, { limit }: Raise, stop: number): { readonly warn?: number } {
  const share = config.budget.per_run_warning_percent / 100;
  return (limit === "run-cost" || limit === "run-tokens") && share > 0 ? { warn: Math.round(stop * share) } : {};
}
