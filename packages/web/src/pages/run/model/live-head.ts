import type { RunDetail } from "../../../contract/index.ts";
import type { RunModel } from "./run-model.ts";

/**
 * The head of a run as its newest events have it. The document of a live run is loaded again some time after events;
 * cost, limit and turns are known from the events at once.
 */
export function liveHead(detail: RunDetail, model: RunModel): RunDetail {
  const { run } = detail;
  const costUsd = model.costs.at(-1)?.value;
  const turns = Math.max(run.turns, model.turns);
  if (!run.isLive || model.events.length === 0) return detail;
  const isPriced = costUsd !== undefined && (run.costUsd !== null || !model.hasUnknownPrice);
  return {
    ...detail,
    run: {
      ...run,
      turns,
      costUsd: isPriced ? Math.max(run.costUsd ?? 0, costUsd) : run.costUsd,
      limitUsd: model.limitUsd ?? run.limitUsd,
    },
  };
}
