import type { RecordedRun } from "../../packages/records/dist/index.js";
import { sourceOf, unlabelledRuns } from "./data.ts";
import { groupsOf } from "./groups.ts";
import { type FirstIntervention, firstIntervention, signalsFor } from "./guardian.ts";
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
}

interface Inspected {
  readonly run: RecordedRun;
  readonly first: FirstIntervention | undefined;
}

/** Inspects all unlabelled runs and prints `printed` interventions on successful ones; undefined without recordings. */
export function inspectUnlabelled(printed: number): Unlabelled | undefined {
  const inspected: Inspected[] = [];
  for (const run of unlabelledRuns()) inspected.push({ run, first: firstIntervention(signalsFor(run)) });
  if (inspected.length === 0) return undefined;
  const intervened = inspected.filter(({ first }) => first !== undefined);
  const successful = intervened.filter(({ run }) => run.outcome === "success");
  for (const { run } of spread(successful, printed)) console.log(transcriptOf(run));
  const outcomeOf = ({ run }: Inspected) => run.outcome ?? "not recorded";
  return {
    bySource: shares(inspected, ({ run }) => sourceOf(run)),
    byOutcome: shares(inspected, (each) => `${sourceOf(each.run)}, ${outcomeOf(each)}`),
    byModel: shares(inspected, ({ run }) => run.model ?? "unknown model"),
    byDetector: shares(intervened, (each) => `${each.first?.detector}, ${outcomeOf(each)}`),
  };
}

function shares(inspected: readonly Inspected[], groupOf: (run: Inspected) => string): readonly Share[] {
  return groupsOf(inspected, groupOf).map(([group, members]) => ({
    group,
    runs: members.length,
    intervened: members.filter(({ first }) => first !== undefined).length,
  }));
}

/** At most `count` members, evenly spread over all. */
function spread<T>(members: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(members.length / Math.max(1, count)));
  return members.filter((_, index) => index % step === 0).slice(0, count);
}
