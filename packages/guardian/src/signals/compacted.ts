import type { Draft } from "../state/draft.ts";

/** A compaction within this many turns after another one comes soon. */
const SOON = 3;

/** The history was compacted. A compaction soon after another one, without room in between, has not helped. */
export function onCompacted(state: Draft): void {
  const { count } = state.compactionStreak;
  state.compactions++;
  state.compactionStreak = {
    count: count > 0 && isFutile(state) ? count + 1 : 1,
    turn: state.turn,
    events: eventCount(state),
  };
}

function isFutile(state: Draft): boolean {
  const { turn, events, isEased } = state.compactionStreak;
  if (isEased === undefined) return state.turn === turn && eventCount(state) === events;
  return !isEased && state.turn - turn <= SOON;
}

/** Calls and messages of a person so far. */
function eventCount({ callCount, personTurn }: Draft): number {
  return callCount + personTurn;
}
