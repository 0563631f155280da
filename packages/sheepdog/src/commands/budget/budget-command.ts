import type { CostTotals, Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { canDraw } from "../../render/terminal/can-draw.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { listRuns } from "../../saved-runs/list-runs.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { budgetText } from "./budget-text.ts";
import { limitsOf, type MoneyLimit } from "./limits-of.ts";
import { originWords } from "./origin-words.ts";

/** A run that goes on, with the limits a person has set for it meanwhile. */
export interface RunningRun {
  readonly kept: RunSummary;
  readonly maxCostNanoUsd: number | undefined;
}

/** Shows which limits are set, where they come from, and how much of them is spent. */
export async function budgetCommand({ json = false }: { readonly json?: boolean }, io: Io): Promise<number> {
  const now = Date.now();
  return withStores(io, async ({ stores, config, origins }) => {
    const totals = await stores.costs.totals("", now);
    const limits = limitsOf({ config, origins }, totals);
    const reservedNanoUsd = await reservedOf(stores, totals);
    const running = await runningRuns(stores, now);
    if (json) {
      await write(
        io.stdout,
        `${jsonText({ schemaVersion: 1, limits: limits.map(limitDocument), reservedUsd: reservedNanoUsd / 1e9, running: running.map(runningDocument) })}\n`,
      );
      return exitCode.done;
    }
    const look = { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout, io.env), isDrawn: canDraw(io.env) };
    await write(io.stdout, `${budgetText({ limits, reservedNanoUsd, running, config, now }, look).join("\n")}\n`);
    return exitCode.done;
  });
}

/** What is set aside this month for requests under way: it is not spent yet, and `cost` counts it. */
async function reservedOf(stores: Stores, { month, monthName }: CostTotals): Promise<number> {
  const booked = (await stores.costs.sums("month")).find(({ key }) => key === monthName);
  return Math.max(0, (booked?.costNanoUsd ?? 0) - month);
}

async function runningRuns(stores: Stores, at: number): Promise<readonly RunningRun[]> {
  const { runs } = await listRuns(stores, { at, limit: 100, isHeldOnly: true, isWanted: ({ state }) => isLive(state) });
  const running: RunningRun[] = [];
  for (const kept of runs) {
    const { checkpoint } = await stores.sessions.load(kept.sessionId);
    const own = checkpoint?.runId === kept.run.runId ? checkpoint.guardian.ownLimits["run-cost"]?.stop : undefined;
    running.push({ kept, maxCostNanoUsd: own });
  }
  return running;
}

/** In JSON: null where there is no limit, or nothing that all share. */
function limitDocument({
  scope,
  limitCents,
  warnCents,
  spentCents,
  origin,
}: MoneyLimit): Readonly<Record<string, unknown>> {
  return {
    scope,
    limitUsd: limitCents === 0 ? null : limitCents / 100,
    warnUsd: warnCents === 0 ? null : warnCents / 100,
    spentUsd: spentCents === undefined ? null : spentCents / 100,
    leftUsd: limitCents === 0 || spentCents === undefined ? null : Math.max(0, limitCents - spentCents) / 100,
    origin: originWords(origin),
  };
}

function runningDocument({
  kept: { run, sessionId, state, turns, costNanoUsd },
  maxCostNanoUsd,
}: RunningRun): Readonly<Record<string, unknown>> {
  return {
    runId: run.runId,
    sessionId,
    state,
    turns,
    costUsd: costNanoUsd === null ? null : costNanoUsd / 1e9,
    raisedToUsd: maxCostNanoUsd === undefined ? null : maxCostNanoUsd / 1e9,
  };
}
