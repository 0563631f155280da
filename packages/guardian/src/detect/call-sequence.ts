import { bounds } from "../state/bounds.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import type { Observation, Trace } from "../state/observation.ts";

/** A call by its turn and its print: all that the seed systems look at. */
export interface SequencedCall {
  readonly index: number;
  readonly turn: number;
  readonly print: string;
  /** The loose print; absent for calls that have left the history. */
  readonly loose?: string;
}

/** The finished calls since the last message of a person, oldest first. */
export function finishedCalls(
  { traces, history }: { readonly traces: readonly Trace[]; readonly history: readonly Observation[] },
  personTurn: number,
): SequencedCall[] {
  const tracedCalls = traces
    .filter((trace) => trace[2] === personTurn)
    .map(([index, turn, , , , , print]) => ({ index, turn, print }));
  const callsOfHistory = history
    .filter((call) => call.personTurn === personTurn)
    .map(({ index, turn, call }) => ({ index, turn, print: call.exact, loose: call.loose }));
  return [...tracedCalls, ...callsOfHistory].sort(byIndex);
}

/** All calls of the session with those that are about to be made. */
export interface CallPlan {
  readonly calls: readonly SequencedCall[];
  /** Ids of the calls that are about to be made, and the tool of the newest. */
  readonly pendingIds: readonly string[];
  readonly tool: string;
  /** Index of the last call before them. */
  readonly lastCall: number;
}

/**
 * The finished calls, those refused before they were made, and the calls about to be made in this turn.
 * Undefined while more calls of the reply are expected.
 */
export function planCalls(state: GuardianState, expected = 0): CallPlan | undefined {
  const { turn, personTurn } = state;
  const planned = state.unanswered.filter((call) => call.turn === turn);
  const [first] = planned;
  const newest = planned.at(-1);
  const refused = state.refusedCalls
    .filter((call) => call[2] === personTurn)
    .map(([index, turnOfCall, , print]) => ({ index, turn: turnOfCall, print }));
  const calls = [
    ...[...finishedCalls(state, personTurn), ...refused].sort(byIndex),
    ...planned.map((call) => ({ index: call.index, turn: call.turn, print: call.call.exact })),
  ];
  const callsInTurn = calls.filter((call) => call.turn === turn).length;
  if (first === undefined || newest === undefined) return undefined;
  if (callsInTurn < Math.min(expected, bounds.unanswered)) return undefined;
  return { calls, pendingIds: planned.map(({ id }) => id), tool: newest.tool, lastCall: first.index - 1 };
}

function byIndex(a: SequencedCall, b: SequencedCall): number {
  return a.index - b.index;
}
