import { climb } from "../detect/ladder.ts";
import type { StepContext, StepOutput } from "../state/step-context.ts";
import { endStream } from "./end-stream.ts";

/** All results of the turn are there: its findings lead to interventions. */
export function onTurnEnd(context: StepContext): Pick<StepOutput, "interventions" | "asked"> {
  const { state } = context;
  endStream(state);
  const { findings } = state;
  state.findings = [];
  const climbed = climb(context, findings);
  state.clock.stalledMs = 0;
  state.turn++;
  state.runTurns++;
  return climbed;
}
