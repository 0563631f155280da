import type { Stores } from "@sheepdog/agent";
import { type MoneyLimit, moneyLimits } from "../../config/money-limits.ts";
import { describeOrigin } from "../../config/origin.ts";
import { exitCode } from "../../exit-code.ts";
import { addSpent } from "../../hook/money-spent.ts";
import { type Io, write } from "../../io.ts";
import { canDraw } from "../../render/terminal/can-draw.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { listRuns } from "../../saved-runs/list-runs.ts";
import { openDocument, openRequests } from "../../saved-runs/open-requests.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { budgetText, type RunningRun } from "./budget-text.ts";

/** Prints the budgets, where they are set, and how much of them is spent. */
export async function budgetCommand({ json = false }: { readonly json?: boolean }, io: Io): Promise<number> {
  const now = Date.now();
  return withStores(io, async ({ stores, config, origins, home }) => {
    const totals = await stores.costs.totals("", now);
    const limits = moneyLimits({ config, origins }, totals);
    const open = await openRequests(stores, now);
    const running = await runningRuns(stores, now);
    if (json) {
      const document = {
        schemaVersion: 1,
        limits: limits.map(limitDocument),
        ...openDocument(open),
        running: running.map(runningDocument),
      };
      await write(io.stdout, `${jsonText(document)}\n`);
      return exitCode.done;
    }
    const format = {
      style: styleFor(io.stdout, io.env),
      width: columnsOf(io.stdout, io.env),
      canDraw: canDraw(io.env),
      env: io.env,
    };
    const attached = addSpent(home, 0, now); // adds nothing
    const budget = { limits, open, running, config, attached, now };
    await write(io.stdout, `${budgetText(budget, format).join("\n")}\n`);
    return exitCode.done;
  });
}

async function runningRuns(stores: Stores, at: number): Promise<readonly RunningRun[]> {
  const { runs } = await listRuns(stores, { at, limit: 100, isHeldOnly: true, isWanted: ({ state }) => isLive(state) });
  const running: RunningRun[] = [];
  for (const summary of runs) {
    const { checkpoint } = await stores.sessions.load(summary.sessionId);
    const isCurrent = checkpoint?.runId === summary.run.runId;
    const raisedNanoUsd = isCurrent ? checkpoint.guardian.userLimits["run-cost"]?.stop : undefined;
    running.push({ summary, raisedNanoUsd });
  }
  return running;
}

/** A limit as JSON: null if there is no limit, or no amount that all runs share. */
function limitDocument(limit: MoneyLimit): Readonly<Record<string, unknown>> {
  const { scope, limitCents, warnCents, spentCents, origin } = limit;
  return {
    scope,
    limitUsd: limitCents === 0 ? null : limitCents / 100,
    warnUsd: warnCents === 0 ? null : warnCents / 100,
    spentUsd: spentCents === undefined ? null : spentCents / 100,
    leftUsd: limitCents === 0 || spentCents === undefined ? null : Math.max(0, limitCents - spentCents) / 100,
    origin: describeOrigin(origin),
  };
}

function runningDocument({ summary, raisedNanoUsd }: RunningRun): Readonly<Record<string, unknown>> {
  const { run, sessionId, state, turns, costNanoUsd } = summary;
  return {
    runId: run.runId,
    sessionId,
    state,
    turns,
    costUsd: costNanoUsd === null ? null : costNanoUsd / 1e9,
    raisedToUsd: raisedNanoUsd === undefined ? null : raisedNanoUsd / 1e9,
  };
}
