import type { GuardianState, Observation, Trace } from "../state.ts";

/** A call by its turn and its exact print: all that the seed systems look at. */
export interface Made {
  readonly index: number;
  readonly turn: number;
  readonly print: string;
}

/** The finished calls since a person last spoke, oldest first. */
export function finishedCalls({ past, history }: { readonly past: readonly Trace[]; readonly history: readonly Observation[] }, personTurn: number): Made[] {
  return [
    ...past.flatMap(([index, turn, person, , , , print]) => (person === personTurn ? [{ index, turn, print }] : [])),
    ...history.flatMap(({ index, turn, personTurn: person, call }) => (person === personTurn ? [{ index, turn, print: call.exact }] : [])),
  ].sort((a, b) => a.index - b.index);
}

/** The same, and those that are about to be made in this turn. Undefined while more calls of the reply are to come. */
export function callsToCome(
  state: GuardianState,
  expected: number | undefined,
): { readonly calls: readonly Made[]; readonly pending: readonly string[] } | undefined {
  const open = state.open.filter((call) => call.turn === state.turn);
  const calls = [...finishedCalls(state, state.personTurn), ...open.map(({ index, turn, call }) => ({ index, turn, print: call.exact }))];
  const inTurn = calls.filter((call) => call.turn === state.turn).length;
  return open.length === 0 || inTurn < (expected ?? 0) ? undefined : { calls, pending: open.map((call) => call.id) };
}
