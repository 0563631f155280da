import type { PreparedRun } from "./prepared-run.ts";
import { type Score, score } from "./score.ts";

/**
 * The detectors of repeated text, apart from those of calls. Labels count calls and none is about text, so nothing says
 * whether a detector of text is right. Their interventions are counted here, and the scores without them.
 */
export interface TextDetail {
  /** The scores without the interventions of these detectors. */
  readonly callsOnly: Score;
  /** Runs in which such a detector intervened. */
  readonly stuck: number;
  readonly clean: number;
}

const textDetectors: readonly string[] = ["chant", "monologue"];

export function textDetail(runs: readonly PreparedRun[]): TextDetail {
  const aboutText = runs.filter(({ reactions }) => reactions.some(({ detector }) => textDetectors.includes(detector)));
  return {
    callsOnly: score(
      runs.map(({ label, reactions }) => ({
        label,
        reactions: reactions.filter(({ detector }) => !textDetectors.includes(detector)),
      })),
    ),
    stuck: aboutText.filter(({ label }) => label.verdict === "stuck").length,
    clean: aboutText.filter(({ label }) => label.verdict === "clean").length,
  };
}
