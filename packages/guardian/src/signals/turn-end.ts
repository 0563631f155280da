import { climb } from "../detect/ladder.ts";
import type { Intervention } from "../state/intervention.ts";
import type { StepContext } from "../state/step-context.ts";
import { endStream } from "./end-stream.ts";

/** All results of the turn are there: its findings lead to interventions. */
export function onTurnEnd(context: StepContext): readonly Intervention[] {
  const { state } = context;
  endStream(state);
  const { findings } = state;
  state.findings = [];
  const interventions = climb(context, findings);
  state.clock.stalledMs = 0;
  state.turn++;
  state.runTurns++;
  return interventions;
}
