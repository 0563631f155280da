import type { RecordedRun } from "../../packages/records/dist/index.js";
import { sourceOf, unlabelledRuns } from "./data.ts";
import { groupsOf } from "./groups.ts";
import { type FirstWord, firstWord, told } from "./guardian.ts";
import { pictureOf } from "./picture.ts";

/** How often the guardian says something in a group of runs nobody has labelled. */
export interface Share {
  readonly group: string;
  readonly runs: number;
  readonly intervened: number;
}

/** Shares of runs with an intervention. What succeeds is rarely stuck, so the share among successes hints at false alarms; it does not prove them. */
export interface Unlabelled {
  readonly bySource: readonly Share[];
  readonly byOutcome: readonly Share[];
  readonly byModel: readonly Share[];
  readonly byDetector: readonly Share[];
}

interface Watched {
  readonly run: RecordedRun;
  readonly said: FirstWord | undefined;
}

/** Watches all unlabelled runs, and prints some interventions on successful ones; undefined where there are none on this machine. */
export function watchUnlabelled(printed: number): Unlabelled | undefined {
  const watched: Watched[] = [];
  for (const run of unlabelledRuns()) watched.push({ run, said: firstWord(told(run)) });
  if (watched.length === 0) return undefined;
  for (const { run } of spread(
    watched.filter(({ run, said }) => said !== undefined && run.outcome === "success"),
    printed,
  ))
    console.log(pictureOf(run));
  const outcomeOf = ({ run }: Watched) => run.outcome ?? "not recorded";
  return {
    bySource: shares(watched, ({ run }) => sourceOf(run)),
    byOutcome: shares(watched, (each) => `${sourceOf(each.run)}, ${outcomeOf(each)}`),
    byModel: shares(watched, ({ run }) => run.model ?? "unknown model"),
    byDetector: shares(
      watched.filter(({ said }) => said !== undefined),
      (each) => `${each.said?.detector}, ${outcomeOf(each)}`,
    ),
  };
}

function shares(watched: readonly Watched[], groupOf: (each: Watched) => string): readonly Share[] {
  return groupsOf(watched, groupOf).map(([group, members]) => ({
    group,
    runs: members.length,
    intervened: members.filter(({ said }) => said !== undefined).length,
  }));
}

/** So many of the members, evenly over all of them. */
function spread<T>(members: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(members.length / Math.max(1, count)));
  return members.filter((_, place) => place % step === 0).slice(0, count);
}
