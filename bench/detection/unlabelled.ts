import type { RecordedRun } from "../../packages/records/dist/index.js";
import { sourceOf, unlabelledRuns } from "./data.ts";
import { groupsOf } from "./groups.ts";
import { type GuardianReaction, interventions, signalsFor } from "./guardian.ts";
import { type Rate, rateOf } from "./rate.ts";
import { untilStop } from "./reaction.ts";
import { transcriptOf } from "./transcript.ts";

/** How often the guardian intervenes in a group of runs without labels. */
export interface Share {
  readonly group: string;
  readonly runs: number;
  readonly intervened: number;
}

/** Shares of runs with an intervention. Successful runs are rarely stuck, so their share hints at false alarms. */
export interface Unlabelled {
  readonly bySource: readonly Share[];
  readonly byOutcome: readonly Share[];
  readonly byModel: readonly Share[];
  readonly byDetector: readonly Share[];
  /** Interventions in successful runs, by source and in all of them. */
  readonly ratesOnSuccess: readonly Rate[];
}

interface Inspected {
  readonly run: RecordedRun;
  readonly calls: number;
  readonly reactions: readonly GuardianReaction[];
}

/** Inspects all unlabelled runs and prints `printed` interventions on successful ones; undefined without recordings. */
export function inspectUnlabelled(printed: number): Unlabelled | undefined {
  const inspected = [...unlabelledRuns()].map(inspect);
  if (inspected.length === 0) return undefined;
  const intervened = inspected.filter(({ reactions }) => reactions.length > 0);
  const isSuccessful = ({ run }: Inspected) => run.outcome === "success";
  for (const { run } of spread(intervened.filter(isSuccessful), printed)) console.log(transcriptOf(run));
  const outcomeOf = ({ run }: Inspected) => run.outcome ?? "not recorded";
  const successful = inspected.filter(isSuccessful);
  return {
    bySource: shares(inspected, ({ run }) => sourceOf(run)),
    byOutcome: shares(inspected, (each) => `${sourceOf(each.run)}, ${outcomeOf(each)}`),
    byModel: shares(inspected, ({ run }) => run.model ?? "unknown model"),
    byDetector: shares(intervened, (each) => `${each.reactions[0]?.detector}, ${outcomeOf(each)}`),
    ratesOnSuccess: [
      ...groupsOf(successful, ({ run }) => sourceOf(run)).map(([source, members]) => rateOf(source, members)),
      rateOf("all", successful),
    ],
  };
}

function inspect(run: RecordedRun): Inspected {
  const calls = run.steps.reduce((sum, step) => sum + step.calls.length, 0);
  return { run, calls, reactions: untilStop(interventions(signalsFor(run))) };
}

function shares(inspected: readonly Inspected[], groupOf: (run: Inspected) => string): readonly Share[] {
  return groupsOf(inspected, groupOf).map(([group, members]) => ({
    group,
    runs: members.length,
    intervened: members.filter(({ reactions }) => reactions.length > 0).length,
  }));
}

/** At most `count` members, evenly spread over all. */
function spread<T>(members: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(members.length / Math.max(1, count)));
  return members.filter((_, index) => index % step === 0).slice(0, count);
}
