import type { PriceOverrides } from "@sheepdog/records";
import type { Budgets, budgetsQuerySchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import type { LoadedConfig } from "../../config/load-config.ts";
import { openRequests } from "../../saved-runs/open-requests.ts";
import { usdText } from "../../sentences/amount-text.ts";
import type { ViewContext } from "../view-context.ts";
import { changedLimits, configuredLimits } from "./budgets/budget-limits.ts";
import { dayNote, monthNote, runNote } from "./budgets/budget-notes.ts";
import { dearestLoops } from "./budgets/dearest-loops.ts";
import { type LedgerSpending, ledgerSpending, totalNanoUsd } from "./budgets/ledger-spending.ts";
import { modelPrices } from "./budgets/model-prices.ts";
import { type Month, monthFacts } from "./budgets/month-facts.ts";
import { utcDay } from "./budgets/noticed-loops.ts";
import { projectSpending } from "./budgets/project-spending.ts";
import { type SessionDigest, sessionDigests } from "./budgets/session-digests.ts";
import { type LoopSpending, loopSpending, split } from "./budgets/spending-split.ts";

const DAY_MS = 86_400_000;

/** Costs against limits: the ledger of the last days, what loops took of it, and every limit. Days are in UTC. */
export async function budgetsView(
  context: ViewContext,
  { days }: z.infer<typeof budgetsQuerySchema>,
): Promise<Budgets> {
  const { stores } = context;
  const now = context.now();
  const today = utcDay(now);
  const firstDay = utcDay(now - (days - 1) * DAY_MS);
  const since = Date.parse(firstDay);
  const monthStart = Date.parse(`${today.slice(0, 7)}-01`);
  const widest = Math.min(since, monthStart, Date.parse(utcDay(now - 7 * DAY_MS)));
  const loaded = await context.loadConfig(context.cwd);
  const sessions = await stores.sessions.list();
  const spending = await ledgerSpending(stores, { since, now });
  const recent = widest === since ? spending : await ledgerSpending(stores, { since: widest, now });
  const totals = await stores.costs.totals("", now);
  const digests = await sessionDigests(stores, sessions, widest);
  const loops = loopSpending(digests, firstDay);
  const limits = loaded.ok ? configuredLimits(loaded, totals, context.cwd) : [];
  const limitOf = (scope: string) => limits.find((limit) => limit.scope === scope);
  const runCosts = new Map(spending.runs.map(({ key, costNanoUsd }) => [key, costNanoUsd]));
  const open = await openRequests(stores, now);
  const month = monthFacts({ now, recent, digests, monthStart, spentNanoUsd: totals.month });
  const warnOf = (scope: string) => limitOf(scope)?.warn ?? null;
  const stopOf = (scope: string) => limitOf(scope)?.stop ?? null;
  return {
    at: now,
    summary: summaryOf({ loaded, month, monthLimitUsd: stopOf("month") }),
    today: {
      spentUsd: totals.day / 1e9,
      limitUsd: stopOf("day"),
      warnUsd: warnOf("day"),
      note: dayNote({
        now,
        spentUsd: totals.day / 1e9,
        limitUsd: stopOf("day"),
        lastHourUsd: await lastHourUsd(context, spending, now),
      }),
    },
    month: {
      name: month.name,
      spentUsd: month.spentUsd,
      limitUsd: stopOf("month"),
      warnUsd: warnOf("month"),
      note: monthNote(month),
    },
    perRun: { limitUsd: stopOf("run"), note: runNoteOf(digests, runCosts, since) },
    reserved: { usd: open.reserved.nanoUsd / 1e9, requests: open.reserved.requests },
    days: daysOf(spending, loops, { firstDay, days }),
    dayLimitUsd: stopOf("day"),
    dayWarnUsd: warnOf("day"),
    projects: projectSpending(spending.sessions, loops.bySession, sessions),
    models: await modelsOf(loaded, spending, loops, now),
    purposes: spending.purposes
      .map(({ key, costNanoUsd }) => ({ purpose: key, usd: costNanoUsd / 1e9 }))
      .toSorted((a, b) => b.usd - a.usd),
    limits: [...limits, ...changedLimits(sessions, digests, (runId) => runCosts.get(runId))],
    loops: [...dearestLoops(digests, sessions, { since, now })],
    unconfirmedUsd: open.unconfirmed.nanoUsd / 1e9,
  };
}

function priced(rows: readonly { readonly costNanoUsd: number | null }[]): readonly { readonly costNanoUsd: number }[] {
  return rows.map(({ costNanoUsd }) => ({ costNanoUsd: costNanoUsd ?? 0 }));
}

/** Every day of the period, also those without costs. */
function daysOf(
  { days: sums }: LedgerSpending,
  { byDay }: LoopSpending,
  { firstDay, days }: { readonly firstDay: string; readonly days: number },
): Budgets["days"] {
  const spent = new Map(sums.map(({ key, costNanoUsd }) => [key, costNanoUsd]));
  const start = Date.parse(firstDay);
  return Array.from({ length: days }, (_, index) => {
    const day = utcDay(start + index * DAY_MS);
    return { day, ...split(spent.get(day) ?? 0, byDay.get(day)) };
  });
}

/** Dearest first; those without a price by their tokens. */
async function modelsOf(
  loaded: LoadedConfig,
  { models }: LedgerSpending,
  { byModel }: LoopSpending,
  now: number,
): Promise<Budgets["models"]> {
  const priceOf = await modelPrices(
    loaded.ok ? (loaded.config.budget.pricing_overrides as PriceOverrides) : undefined,
    now,
  );
  return models
    .toSorted((a, b) => b.costNanoUsd - a.costNanoUsd || b.unpricedTokens - a.unpricedTokens)
    .map(({ key, costNanoUsd, unpricedTokens }) => ({
      model: key,
      ...split(costNanoUsd, byModel.get(key)),
      ...priceOf(key),
      unpricedTokens,
    }));
}

/** Spent since one hour ago and since midnight, the later of both. */
async function lastHourUsd({ stores }: ViewContext, { reserved }: LedgerSpending, now: number): Promise<number> {
  const since = Math.max(now - 3_600_000, Date.parse(utcDay(now)));
  const all = totalNanoUsd(await stores.costs.sums("day", { since, at: now }));
  return Math.max(0, all - totalNanoUsd(priced(reserved.filter(({ at }) => at >= since)))) / 1e9;
}

function summaryOf({
  loaded,
  month,
  monthLimitUsd,
}: {
  readonly loaded: LoadedConfig;
  readonly month: Month;
  readonly monthLimitUsd: number | null;
}): string {
  const { name, spentUsd, loopUsd, worstDay } = month;
  const limit = monthLimitUsd === null ? "" : ` of ${usdText(monthLimitUsd)}`;
  const sentences = [`${name}: ${usdText(spentUsd)}${limit}.`];
  const most = worstDay === undefined ? "" : `, most of it on ${dayText(worstDay)}`;
  if (loopUsd > 0) sentences.push(`Loops took ${usdText(loopUsd)} of it${most}.`);
  if (!loaded.ok) sentences.push("The configuration is invalid, so the limits are unknown: see the settings.");
  return sentences.join(" ");
}

function dayText(day: string): string {
  return new Date(Date.parse(day)).toLocaleString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
}

/** About runs that ended in the period; subagents belong to the run that started them. */
function runNoteOf(digests: readonly SessionDigest[], runCosts: ReadonlyMap<string, number>, since: number): string {
  const ended = digests
    .filter(({ sessionId, payer }) => sessionId === payer)
    .flatMap(({ runs }) => runs)
    .filter(({ endedAt }) => endedAt !== undefined && endedAt >= since);
  const costs = ended.flatMap(({ runId }) => runCosts.get(runId) ?? []).map((nanoUsd) => nanoUsd / 1e9);
  return runNote(costs, ended.filter(({ reason }) => reason === "run_budget").length);
}
