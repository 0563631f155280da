import type { Overview, Waiting } from "@sheepdog/web/contract";
import { type ChosenModel, chooseModel } from "../../compose/choose-model.ts";
import { packageVersion } from "../../package-version.ts";
import { programName } from "../../program-name.ts";
import type { ViewContext } from "../view-context.ts";
import { loadRun } from "./run-data/load-run.ts";
import { listSessions } from "./run-index/run-index.ts";
import { liveRuns } from "./runs-view.ts";
import { waitingCards } from "./waiting/waiting-cards.ts";

const MAX_WORKSPACES = 30;
const NANO_USD_PER_CENT = 10_000_000;

/** The state of everything: what waits for the user, how many runs are live, and what was spent today. */
export async function overviewView(context: ViewContext): Promise<Overview> {
  const { stores, now, cwd, env } = context;
  const position = await stores.events.lastPosition(); // read first: the rest may be newer
  const list = await listSessions(stores, now());
  const live = await liveRuns(list);
  const waiting: Waiting[] = [];
  for (const { waitingRunIds } of live)
    for (const runId of waitingRunIds) {
      const data = await loadRun(context, runId);
      if (data !== undefined) waiting.push(...(await waitingCards(context, data)));
    }
  const workspaces = list.sessions.flatMap(({ lastRun }) => lastRun?.workspace ?? []);
  return {
    version: packageVersion(),
    program: programName(env),
    position,
    waiting: waiting.toSorted((one, other) => one.since - other.since),
    liveRuns: live.length,
    cwd,
    workspaces: [...new Set(workspaces)].slice(0, MAX_WORKSPACES),
    ...(await settingsOf(context)),
  };
}

/** What the configuration says: the limit of the day, and whether a run can start. */
async function settingsOf({
  stores,
  loadConfig,
  cwd,
  env,
  now,
}: ViewContext): Promise<Pick<Overview, "today" | "startProblem" | "defaults">> {
  const { day } = await stores.costs.totals("", now());
  const loaded = await loadConfig(cwd);
  if (!loaded.ok) {
    const startProblem = `The configuration has a problem: ${loaded.problems[0] ?? "it cannot be read."}`;
    const today = { spentUsd: day / 1e9, limitUsd: null, warnUsd: null };
    return { today, startProblem, defaults: { model: null, limitUsd: null } };
  }
  const { per_day_limit_cents: dayCents, per_run_limit_cents: runCents } = loaded.config.budget;
  const usdOf = (cents: number) => (cents > 0 ? (cents * NANO_USD_PER_CENT) / 1e9 : null);
  const model = await chooseModel(loaded.config, env);
  return {
    today: { spentUsd: day / 1e9, limitUsd: usdOf(dayCents), warnUsd: null },
    defaults: { model: model.ok ? model.name : null, limitUsd: usdOf(runCents) },
    startProblem: model.ok ? null : startProblemText(model, programName(env)),
  };
}

/** Why no run can be started, and what to type. */
function startProblemText({ problems, isModelMissing }: Extract<ChosenModel, { ok: false }>, program: string): string {
  const problem = problems[0] ?? "No model is configured.";
  return isModelMissing === true ? `${problem} Run: ${program} init` : problem;
}
