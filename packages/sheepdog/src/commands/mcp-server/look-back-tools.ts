import { analyzeAll, type RunReport, readRecordings } from "@sheepdog/records";
import { moneyLimits } from "../../config/money-limits.ts";
import { choosePolicy } from "../../config/policy/choose-policy.ts";
import { allowedPath, ToolRefusal, type ToolServer } from "./tool-server.ts";

const maxReports = 50;

/** Analyzes recordings in the roots. Names the runs in which something was found, and the sums of all. */
export async function analyzeRecordings(server: ToolServer, path: string, signal: AbortSignal): Promise<unknown> {
  const real = await allowedPath(server, path);
  const chosen = await choosePolicy(undefined);
  if (!chosen.ok) throw new ToolRefusal(chosen.problems.join("; "));
  const analysis = analyzeAll(readRecordings([real]), chosen.policy);
  const stuck: RunReport[] = [];
  for await (const item of analysis) {
    if (signal.aborted) throw new ToolRefusal("The analysis was cancelled.");
    if (item.type !== "run") continue;
    const { report } = item;
    if (report.interventions.length > 0 && stuck.length < maxReports) stuck.push(report);
  }
  const { totals, skippedCount } = analysis;
  return { totals, skipped_lines: skippedCount, runs_with_findings: stuck };
}

/** The limits of money in force, and what is spent. */
export async function showBudgets({ context }: ToolServer): Promise<unknown> {
  const loaded = await context.loadConfig(context.cwd);
  if (!loaded.ok) throw new ToolRefusal(loaded.problems.join("; "));
  const totals = await context.stores.costs.totals("", context.now());
  const limits = moneyLimits(loaded, totals).map(({ scope, limitCents, warnCents, spentCents }) => ({
    scope,
    limit_usd: limitCents === 0 ? null : limitCents / 100,
    warning_usd: warnCents === 0 ? null : warnCents / 100,
    spent_usd: spentCents === undefined ? null : spentCents / 100,
  }));
  return { limits };
}
