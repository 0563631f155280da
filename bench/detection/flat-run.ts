import type { RecordedRun } from "../../packages/records/dist/index.js";
import { personTurns } from "../../packages/records/dist/index.js";

/** One call of a run, in the flat sequence that labels and reactions count in. */
export interface FlatCall {
  readonly index: number;
  /** The index of its step: calls of one step are one batch. */
  readonly turn: number;
  /** The number of user messages before it. */
  readonly userTurn: number;
  readonly tool: string;
  readonly args: unknown;
  readonly result: unknown;
  /** null when the recording has no flag. */
  readonly isError: boolean | null;
  /** The text of the model's reply that made the call. */
  readonly text: string;
}

/** One reply of the model with its calls. */
export interface FlatStep {
  readonly turn: number;
  readonly userTurn: number;
  readonly text: string;
  readonly calls: readonly FlatCall[];
}

/** A run as the rules of other systems see it. */
export interface FlatRun {
  readonly id: string;
  readonly steps: readonly FlatStep[];
  readonly calls: readonly FlatCall[];
}

/** Flattens a recorded run. User messages count where the guardian receives them too. */
export function flatten(run: RecordedRun): FlatRun {
  const turnsWithUser = personTurns(run);
  let userTurn = 0;
  let index = 0;
  const steps = run.steps.map(({ text, calls }, turn): FlatStep => {
    if (turnsWithUser.has(turn)) userTurn += 1;
    const flatCalls = calls.map(({ name, args, result, isError }) => ({
      index: index++,
      turn,
      userTurn,
      tool: name,
      args,
      result,
      isError,
      text,
    }));
    return { turn, userTurn, text, calls: flatCalls };
  });
  return { id: run.id, steps, calls: steps.flatMap((step) => step.calls) };
}
