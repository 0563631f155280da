import type { Findings, findingsQuerySchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import { sweepLimits, sweepPoints } from "../../look-back/sweep.ts";
import { currentLimit, limitToml } from "../../look-back/sweep-settings.ts";
import type { ViewContext } from "../view-context.ts";
import { createFindingsAnalysis, type FindingsAnalysis } from "./findings/findings-analysis.ts";
import { detectorsOf, findingsTotals, sourcesOf, stuckRuns } from "./findings/findings-totals.ts";
import { stoppableGoodRuns } from "./findings/good-runs.ts";
import { judgementsOf } from "./judgements-view.ts";
import { policyFor } from "./run-data/load-run.ts";

const DAY_MS = 86_400_000;
/** Fewer runs say nothing about a limit. */
const MIN_RUNS = 30;

const analyses = new WeakMap<ViewContext["stores"], FindingsAnalysis>();

/**
 * What the guardian finds in Sheepdog's runs and in recordings, and what other limits would have saved. The analysis
 * continues after the answer; `progress` says how far it is.
 */
export async function findingsView(
  context: ViewContext,
  { days, by }: z.infer<typeof findingsQuerySchema>,
): Promise<Findings> {
  const analysis = analyses.get(context.stores) ?? createFindingsAnalysis();
  analyses.set(context.stores, analysis);
  const policy = await policyFor(context, context.cwd);
  const loaded = await context.loadConfig(context.cwd);
  const since = context.now() - days * DAY_MS;
  const { runs, done, total } = await analysis.update(context, { since, policy });
  const current = currentLimit(by, policy, loaded.ok ? loaded.config : undefined);
  const limits = sweepLimits(runs, by, current);
  const judgements = await judgementsOf(context);
  return {
    progress: { done, total },
    places: ((await context.recordings.places?.()) ?? []).map((place) => ({ ...place, problems: [...place.problems] })),
    sources: sourcesOf(runs),
    totals: findingsTotals(runs),
    sweep: { by, current, points: sweepPoints(runs, by, limits), minRuns: MIN_RUNS, toml: limitToml[by] },
    goodRuns: stoppableGoodRuns(runs, by, limits),
    detectors: detectorsOf(runs, judgements.all),
    stuck: stuckRuns(runs),
  };
}
