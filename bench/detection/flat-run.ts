import type { RecordedRun } from "../../packages/records/dist/index.js";
import { personTurns } from "../../packages/records/dist/index.js";

/** One call of a run, in the flat sequence that labels and reactions count in. */
export interface FlatCall {
  readonly index: number;
  /** The place of its step: calls of one step are one batch. */
  readonly turn: number;
  /** How often a person had spoken before it. */
  readonly personTurn: number;
  readonly tool: string;
  readonly args: unknown;
  readonly result: unknown;
  /** null where the recording does not say. */
  readonly isError: boolean | null;
  /** What the model said in the step that made the call. */
  readonly text: string;
}

/** One model reply with the calls it made; none where it only spoke. */
export interface FlatStep {
  readonly turn: number;
  readonly personTurn: number;
  readonly text: string;
  readonly calls: readonly FlatCall[];
}

/** A run as other systems' rules see it: who spoke, what was called, what came back. */
export interface FlatRun {
  readonly id: string;
  readonly steps: readonly FlatStep[];
  readonly calls: readonly FlatCall[];
}

/** Lays a recorded run out flat, with persons where the guardian is told of them too. */
export function flatten(run: RecordedRun): FlatRun {
  const spoken = personTurns(run);
  let personTurn = 0;
  let index = 0;
  const steps = run.steps.map(({ text, calls }, turn): FlatStep => {
    if (spoken.has(turn)) personTurn++;
    const flat = calls.map(({ name, args, result, isError }) => ({
      index: index++,
      turn,
      personTurn,
      tool: name,
      args,
      result,
      isError,
      text,
    }));
    return { turn, personTurn, text, calls: flat };
  });
  return { id: run.id, steps, calls: steps.flatMap((step) => step.calls) };
}
