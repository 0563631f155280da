import type { Signal } from "../../packages/guardian/dist/index.js";
import type { Labelled } from "./data.ts";
import { type GuardianReaction, interventions, signalsFor } from "./guardian.ts";
import { untilStop } from "./reaction.ts";
import type { Judged } from "./score.ts";

/** A labelled run with the guardian's signals, which are computed once and judged many times. */
export interface PreparedRun extends Labelled, Judged {
  readonly signals: readonly Signal[];
  /** The guardian's interventions by its default policy. */
  readonly reactions: readonly GuardianReaction[];
}

export function prepareRun(labelled: Labelled): PreparedRun {
  const signals = signalsFor(labelled.run);
  return { ...labelled, signals, reactions: untilStop(interventions(signals)) };
}
