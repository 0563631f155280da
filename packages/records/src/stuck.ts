import type { Episode, Finding, GuardianState } from "@sheepdog/guardian";
import { stepNanoUsd, toUsd } from "./costs.ts";
import type { StuckStretch } from "./report.ts";
import type { RecordedStep } from "./run.ts";

/** Collects the calls that repeated an earlier one in an episode. */
export interface Repeats {
  /** Told the state after every result, while the turn's findings are still in it. */
  noteFindings(state: GuardianState): void;
  /** Told the state after every turn: findings that became part of an open episode count, the others are forgotten. */
  endTurn(state: GuardianState): void;
  readonly calls: ReadonlySet<number>;
}

/** Starts with no repeat. */
export function collectRepeats(): Repeats {
  const calls = new Set<number>();
  let findings = new Set<Finding>();
  return {
    calls,
    noteFindings(state) {
      for (const finding of state.findings) findings.add(finding);
    },
    endTurn(state) {
      for (const episode of state.episodes) {
        if (episode.isClosed) continue;
        const own = [...findings].filter((finding) => isAbout(episode, finding));
        const isHeard = episode.lastFindingTurn === state.turn - 1;
        // What speaks before a call is made leaves no finding, only its episode.
        const seen =
          own.length === 0 && isHeard
            ? episode.calls.filter((call) => call !== episode.firstCall)
            : own.flatMap(({ evidence }) => evidence.slice(1));
        for (const call of seen) calls.add(call);
      }
      findings = new Set();
    },
  };
}

function isAbout(episode: Episode, finding: Finding): boolean {
  const newest = finding.evidence.at(-1);
  return episode.cause === finding.cause || (newest !== undefined && episode.calls.includes(newest));
}

/** The stretch from the first repeat to the last and what the repeats cost: of a turn's cost the share of its calls that were repeats. */
export function stuckStretch(steps: readonly RecordedStep[], repeats: ReadonlySet<number>): StuckStretch | null {
  if (repeats.size === 0) return null;
  const sorted = [...repeats].sort((a, b) => a - b);
  let nanoUsd: number | null = null;
  let next = 0;
  for (const step of steps) {
    const cost = stepNanoUsd(step);
    const wasted = step.calls.filter((_, place) => repeats.has(next + place)).length;
    if (cost !== undefined)
      nanoUsd = (nanoUsd ?? 0) + (wasted === 0 ? 0 : Math.round((cost * wasted) / step.calls.length));
    next += step.calls.length;
  }
  return {
    from: sorted[0] ?? 0,
    to: sorted.at(-1) ?? 0,
    calls: sorted.length,
    costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
  };
}
