import { type DetectorName, episodeOf, type Intervention, limitNames } from "@sheepdog/guardian";
import type { RecordedStep } from "../trajectory/recorded-run.ts";
import { toUsd } from "./recorded-costs.ts";
import type { ReportedIntervention } from "./report.ts";
import { callsNanoUsd, type Repeats } from "./stuck-stretch.ts";

/** All interventions about one cause in a recorded run. Call indexes are 0-based over all calls of the run. */
export interface FoundEpisode {
  readonly id: string;
  /** The detector that named it last. */
  readonly detector: DetectorName;
  readonly tool: string | null;
  /** How often it happened, as far as the guardian counted. */
  readonly times: number;
  /** Its calls, the first occurrence too. */
  readonly calls: readonly number[];
  /** Those that repeat an earlier one, and are in no episode before this one. */
  readonly repeats: readonly number[];
  /** The cost of these repeats; null when no cost is recorded. */
  readonly costUsd: number | null;
  /** One for each level that was reached, in this order. */
  readonly interventions: readonly ReportedIntervention[];
  /** How often it had happened at each of them. */
  readonly timesAt: readonly number[];
}

interface Draft {
  readonly id: string;
  detector: DetectorName;
  tool: string | null;
  readonly calls: Set<number>;
  readonly interventions: ReportedIntervention[];
  readonly counts: number[];
}

/** Collects the interventions of a run by their episodes. */
export interface EpisodeCollector {
  add(intervention: Intervention, reported: ReportedIntervention): void;
  finish(steps: readonly RecordedStep[], repeats: Repeats): readonly FoundEpisode[];
}

/** Creates a collector without episodes. */
export function collectEpisodes(): EpisodeCollector {
  const drafts = new Map<string, Draft>();
  return {
    add(intervention, reported) {
      const detector = detectorOf(intervention);
      if (detector === undefined) return;
      const id = episodeOf(intervention.id);
      const { tool = null, times, count, evidence } = intervention;
      const draft = drafts.get(id) ?? { id, detector, tool, calls: new Set(), interventions: [], counts: [] };
      drafts.set(id, draft);
      draft.detector = detector;
      draft.tool = tool;
      draft.counts.push(times ?? Math.round(count));
      for (const call of evidence) draft.calls.add(call);
      draft.interventions.push(reported);
    },
    finish(steps, repeats) {
      const assigned = new Set<number>();
      const byEpisode = repeats.byEpisode();
      return [...drafts.values()].map(({ calls, counts, ...draft }) => {
        const all = byEpisode.get(draft.id) ?? new Set<number>();
        const own = new Set([...all].filter((call) => !assigned.has(call)));
        for (const call of own) assigned.add(call);
        const nanoUsd = callsNanoUsd(steps, own);
        return {
          ...draft,
          times: Math.max(...counts, ...(draft.detector === "cycle" ? [] : [all.size + 1])),
          timesAt: counts.map((count, index) => timesAt(count, draft.interventions[index], all)),
          calls: sorted([...calls, ...all]),
          repeats: sorted([...own]),
          costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
        };
      });
    },
  };
}

/** The repeats up to an intervention, and the call that they repeat; a cycle has several calls, and its own count. */
function timesAt(count: number, reported: ReportedIntervention | undefined, repeats: ReadonlySet<number>): number {
  if (reported === undefined || reported.detector === "cycle") return count;
  return Math.max(count, [...repeats].filter((call) => call <= reported.call).length + 1);
}

function detectorOf({ detector }: Intervention): DetectorName | undefined {
  return limitNames.some((name) => name === detector) ? undefined : (detector as DetectorName); // it is no limit
}

function sorted(calls: readonly number[]): readonly number[] {
  return [...new Set(calls)].sort((a, b) => a - b);
}
