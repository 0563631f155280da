import { bounds } from "../bounds.ts";
import type { Observation, Trace } from "../remembered-calls.ts";
import type { GuardianState } from "../state.ts";

/** A call by its turn and its print: all that the seed systems look at. */
export interface Made {
  readonly index: number;
  readonly turn: number;
  readonly print: string;
  /** Spacing, quoting and the like ignored; absent from further back. */
  readonly loosely?: string;
}

/** The finished calls since a person last spoke, oldest first. */
export function finishedCalls(
  { past, history }: { readonly past: readonly Trace[]; readonly history: readonly Observation[] },
  personTurn: number,
): Made[] {
  return [
    ...past.flatMap(([index, turn, person, , , , print]) => (person === personTurn ? [{ index, turn, print }] : [])),
    ...history.flatMap(({ index, turn, personTurn: person, call }) =>
      person === personTurn ? [{ index, turn, print: call.exact, loosely: call.loose }] : [],
    ),
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

/** The finished calls, those that were refused as they were planned, and those about to be made in this turn. Undefined while more calls of the reply are to come. */
export function planOf(state: GuardianState, expected: number | undefined): Plan | undefined {
  const open = state.open.filter((call) => call.turn === state.turn);
  const first = open[0];
  const newest = open.at(-1);
  const refused = state.refused.flatMap(([index, turn, personTurn, print]) =>
    personTurn === state.personTurn ? [{ index, turn, print }] : [],
  );
  const finished = [...finishedCalls(state, state.personTurn), ...refused].sort((a, b) => a.index - b.index);
  const calls = [...finished, ...open.map(({ index, turn, call }) => ({ index, turn, print: call.exact }))];
  const inTurn = calls.filter((call) => call.turn === state.turn).length;
  if (first === undefined || newest === undefined || inTurn < Math.min(expected ?? 0, bounds.open)) return undefined;
  return { calls, pending: open.map((call) => call.id), tool: newest.tool, call: first.index - 1 };
}
