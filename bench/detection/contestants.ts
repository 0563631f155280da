import type { Signal } from "../../packages/guardian/dist/index.js";
import type { Labelled } from "./data.ts";
import { type FirstWord, firstWord, told, watching } from "./guardian.ts";
import { rules } from "./rules/index.ts";
import { type Judged, type Score, score } from "./score.ts";

/** A labelled run with what the guardian is told of it: perceived once, judged many times. */
export interface Prepared extends Labelled {
  readonly signals: readonly Signal[];
  /** What the guardian says first by its default policy. */
  readonly said: FirstWord | undefined;
}

/** Prepares a run. */
export function prepared(labelled: Labelled): Prepared {
  const signals = told(labelled.run);
  return { ...labelled, signals, said: firstWord(signals, watching) };
}

/** A system with its scores. */
export interface Row {
  readonly system: string;
  readonly score: Score;
}

/** The guardian first, then the others by F1. */
export function rowsOf(runs: readonly Prepared[]): readonly Row[] {
  const others = rules.map(({ name, firstReaction }) => ({
    system: name,
    score: score(runs.map(({ label, flat }) => ({ label, reaction: firstReaction(flat) }))),
  }));
  return [
    { system: "sheepdog", score: score(runs.map(judged)) },
    ...others.sort((a, b) => (b.score.f1 ?? 0) - (a.score.f1 ?? 0)),
  ];
}

/** A run with the guardian's first word on it. */
export function judged({ label, said }: Prepared): Judged {
  return { label, reaction: said?.call };
}
