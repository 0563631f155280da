import type { CostTotals, SessionSummary } from "@sheepdog/agent";
import type { Limit, LimitName } from "@sheepdog/guardian";
import type { Budgets } from "@sheepdog/web/contract";
import type { LoadedConfig } from "../../../config/load-config.ts";
import { moneyLimits } from "../../../config/money-limits.ts";
import { describeOrigin, layerRank, type Origin } from "../../../config/origin.ts";
import type { SessionDigest } from "./session-digests.ts";

type LimitRow = Budgets["limits"][number];
type ValidConfig = Extract<LoadedConfig, { ok: true }>;

const moneyNames = { month: "Month", day: "Day", session: "Session", run: "Run" } as const;

/** The configured limits, with what is spent of those that all runs share. */
export function configuredLimits(loaded: ValidConfig, totals: CostTotals, cwd: string): readonly LimitRow[] {
  const { config, origins } = loaded;
  const originOf = (key: string) => origins.get(key) ?? "default";
  const money = moneyLimits(loaded, totals).map(
    ({ scope, limitCents, warnCents, spentCents, origin }): LimitRow => ({
      scope,
      name: moneyNames[scope],
      stop: orNull(limitCents / 100),
      warn: orNull(warnCents / 100),
      unit: "usd",
      spent: spentCents === undefined ? null : spentCents / 100,
      origin: originText(origin, cwd),
      runId: null,
      canRaise: layerRank(origin) <= 1, // a page changes the user's file, which the others override
    }),
  );
  const other = (row: Pick<LimitRow, "scope" | "name" | "stop" | "warn" | "unit">, key: string): LimitRow => ({
    ...row,
    spent: null,
    origin: originText(originOf(key), cwd),
    runId: null,
    canRaise: false,
  });
  const { agent, budget } = config;
  const { token_budget_soft: contextWarn, token_budget_hard: contextStop } = agent.guardian;
  return [
    ...money,
    other(
      { scope: "turns", name: "Turns of a run", stop: orNull(agent.max_turns), warn: null, unit: "turns" },
      "agent.max_turns",
    ),
    other(
      { scope: "time", name: "Time of a run", stop: orNull(agent.max_duration_secs), warn: null, unit: "seconds" },
      "agent.max_duration_secs",
    ),
    other(
      {
        scope: "tokens",
        name: "Tokens of a run",
        stop: orNull(budget.per_run_limit_tokens),
        warn: null,
        unit: "tokens",
      },
      "budget.per_run_limit_tokens",
    ),
    other(
      {
        scope: "context",
        name: "Context of a run",
        stop: orNull(contextStop),
        warn: orNull(contextWarn),
        unit: "percent",
      },
      "agent.guardian.token_budget_hard",
    ),
  ];
}

const runLimits = {
  "run-cost": { scope: "run", name: "Cost", unit: "usd", perUnit: 1e9 },
  "run-tokens": { scope: "tokens", name: "Tokens", unit: "tokens", perUnit: 1 },
  turns: { scope: "turns", name: "Turns", unit: "turns", perUnit: 1 },
  time: { scope: "time", name: "Time", unit: "seconds", perUnit: 1_000 },
} as const;

/** The limits that users changed for live runs. */
export function changedLimits(
  sessions: readonly SessionSummary[],
  digests: readonly SessionDigest[],
  costNanoUsd: (runId: string) => number | undefined,
): readonly LimitRow[] {
  const digestOf = new Map(digests.map((digest) => [digest.sessionId, digest]));
  return sessions.flatMap(({ sessionId, holder, lastRun }) => {
    if (holder === undefined || lastRun === undefined || lastRun.endedAt !== undefined) return [];
    const changed = Object.entries(digestOf.get(sessionId)?.changedLimits ?? {});
    return changed.flatMap(([name, limit]) => changedLimit(name as LimitName, limit, lastRun.runId, costNanoUsd));
  });
}

function changedLimit(
  name: LimitName,
  limit: Limit | undefined,
  runId: string,
  costNanoUsd: (runId: string) => number | undefined,
): readonly LimitRow[] {
  if (limit === undefined || !(name in runLimits)) return [];
  const { scope, name: title, unit, perUnit } = runLimits[name as keyof typeof runLimits]; // checked above
  const spent = name === "run-cost" ? costNanoUsd(runId) : undefined;
  return [
    {
      scope,
      name: `${title} of this run`,
      stop: orNull((limit.stop ?? 0) / perUnit),
      warn: orNull((limit.warn ?? 0) / perUnit),
      unit,
      spent: spent === undefined ? null : spent / perUnit,
      origin: "changed by you while it runs",
      runId,
      canRaise: true,
    },
  ];
}

/** 0 is no limit. */
function orNull(amount: number): number | null {
  return Number.isFinite(amount) && amount > 0 ? amount : null;
}

function originText(origin: Origin, cwd: string): string {
  return origin !== "default" && "file" in origin && !origin.isProject
    ? "your configuration"
    : describeOrigin(origin, cwd);
}
