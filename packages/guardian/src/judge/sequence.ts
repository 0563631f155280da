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

/** All calls as they will have been made. */
export interface Plan {
  readonly calls: readonly Made[];
  /** Ids of those that are about to be made, the tool of the newest, and the last call before them. */
  readonly pending: readonly string[];
  readonly tool: string;
  readonly call: number;
}

/** The finished calls and those about to be made in this turn. Undefined while more calls of the reply are to come. */
export function planOf(state: GuardianState, expected: number | undefined): Plan | undefined {
  const open = state.open.filter((call) => call.turn === state.turn);
  const [first, newest] = [open[0], open.at(-1)];
  const calls = [...finishedCalls(state, state.personTurn), ...open.map(({ index, turn, call }) => ({ index, turn, print: call.exact }))];
  const inTurn = calls.filter((call) => call.turn === state.turn).length;
  if (first === undefined || newest === undefined || inTurn < (expected ?? 0)) return undefined;
  return { calls, pending: open.map((call) => call.id), tool: newest.tool, call: first.index - 1 };
}
