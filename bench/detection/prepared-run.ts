import type { Signal } from "../../packages/guardian/dist/index.js";
import type { Labelled } from "./data.ts";
import { type FirstIntervention, firstIntervention, observing, signalsFor } from "./guardian.ts";
import { rules } from "./rules/index.ts";
import { type Judged, type Score, score } from "./score.ts";

/** A labelled run with the guardian's signals, which are computed once and judged many times. */
export interface PreparedRun extends Labelled {
  readonly signals: readonly Signal[];
  /** The guardian's first intervention by its default policy. */
  readonly first: FirstIntervention | undefined;
}

export function prepareRun(labelled: Labelled): PreparedRun {
  const signals = signalsFor(labelled.run);
  return { ...labelled, signals, first: firstIntervention(signals, observing) };
}

/** A system with its scores. */
export interface Row {
  readonly system: string;
  readonly score: Score;
}

/** The guardian first, then the other systems by F1. */
export function rowsOf(runs: readonly PreparedRun[]): readonly Row[] {
  const others = rules.map(({ name, firstReaction }) => ({
    system: name,
    score: score(runs.map(({ label, flat }) => ({ label, reaction: firstReaction(flat) }))),
  }));
  return [
    { system: "sheepdog", score: score(runs.map(judgedByGuardian)) },
    ...others.sort((a, b) => (b.score.f1 ?? 0) - (a.score.f1 ?? 0)),
  ];
}

/** A run with the guardian's first intervention as the reaction. */
export function judgedByGuardian({ label, first }: PreparedRun): Judged {
  return { label, reaction: first?.call };
}
