import type { Episode, Finding, GuardianState } from "@sheepdog/guardian";
import type { RecordedStep } from "../trajectory/recorded-run.ts";
import { portion, stepNanoUsd, toUsd } from "./recorded-costs.ts";
import type { StuckStretch } from "./report.ts";

/** Collects the calls that repeated an earlier call within an episode. */
export interface Repeats {
  /** Takes the findings of the state after each result: the turn's end discards them. */
  addFindings(state: GuardianState): void;
  /** Counts the turn's findings that belong to an open episode and discards the rest. */
  endTurn(state: GuardianState): void;
  calls(): ReadonlySet<number>;
  /** The repeats of each episode, by its id. */
  byEpisode(): ReadonlyMap<string, ReadonlySet<number>>;
}

/** Creates an empty collection of repeats. */
export function collectRepeats(): Repeats {
  const callsByEpisode = new Map<string, Set<number>>();
  let findings = new Set<Finding>();
  return {
    calls: () => new Set([...callsByEpisode.values()].flatMap((calls) => [...calls])),
    byEpisode: () => callsByEpisode,
    addFindings(state) {
      for (const finding of state.findings) findings.add(finding);
    },
    endTurn(state) {
      for (const episode of state.episodes) {
        if (isCleared(episode)) callsByEpisode.delete(episode.id);
        if (episode.isClosed || !isStuck(episode)) continue;
        const calls = callsByEpisode.get(episode.id) ?? new Set();
        for (const call of repeatedCalls(episode, findings, state.turn - 1)) calls.add(call);
        callsByEpisode.set(episode.id, calls);
      }
      findings = new Set();
    },
  };
}

/** An episode without a level is a suspicion. */
function isStuck(episode: Episode): boolean {
  return episode.level !== undefined && !isCleared(episode);
}

/** The opinion that the agent is working clears the calls of an episode, until the higher rungs are reached, too. */
function isCleared({ level, opinions }: Episode): boolean {
  return opinions?.verdict === "working" && level !== "block" && level !== "halt";
}

function repeatedCalls(episode: Episode, findings: ReadonlySet<Finding>, turn: number): readonly number[] {
  const ownFindings = [...findings].filter((finding) => belongsTo(episode, finding));
  // A detector that acts before a call leaves no finding, only its episode.
  if (ownFindings.length === 0 && episode.lastFindingTurn === turn)
    return episode.calls.filter((call) => call !== episode.firstCall);
  return ownFindings.flatMap(({ evidence }) => evidence.slice(1));
}

function belongsTo(episode: Episode, finding: Finding): boolean {
  const newestCall = finding.evidence.at(-1);
  return episode.cause === finding.cause || (newestCall !== undefined && episode.calls.includes(newestCall));
}

/** Returns the stretch from the first repeat to the last. */
export function stuckStretch(steps: readonly RecordedStep[], repeats: ReadonlySet<number>): StuckStretch | null {
  if (repeats.size === 0) return null;
  const sorted = [...repeats].sort((a, b) => a - b);
  const nanoUsd = callsNanoUsd(steps, repeats);
  return {
    from: sorted[0] ?? 0,
    to: sorted.at(-1) ?? 0,
    calls: sorted.length,
    costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
  };
}

/** The cost of some calls: each has its share of its turn. null when no step has a cost. */
export function callsNanoUsd(steps: readonly RecordedStep[], chosen: ReadonlySet<number>): number | null {
  let nanoUsd: number | null = null;
  let firstCall = 0;
  for (const step of steps) {
    const stepCost = stepNanoUsd(step);
    const count = step.calls.length;
    if (stepCost !== undefined) {
      nanoUsd ??= 0;
      for (let index = 0; index < count; index++)
        if (chosen.has(firstCall + index)) nanoUsd += portion(stepCost, count, index);
    }
    firstCall += count;
  }
  return nanoUsd;
}
