import { bounds, short } from "./bounds.ts";
import { noSubagents } from "./brood.ts";
import { type Clock, type GuardianState, type Meters, noMeters, noStreams, type Streams } from "./state.ts";

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The state as it is worked on: its fields are assigned. What they hold belongs to saved states as well and is replaced, never changed; only clock, limits and streams are the draft's own. */
export type Draft = Writable<Required<Omit<GuardianState, "clock" | "limits" | "streams">>> & {
  readonly clock: Writable<Required<Clock>>;
  limits: Writable<Meters>;
  streams: Writable<Streams>;
};

/** The state of a session in which nothing has happened. */
export function initialState(digest: string): GuardianState {
  return draftOf({ digest: short(digest, bounds.id) });
}

/** A state to work on; what the given one does not have gets its beginning. All states are copies of one, so that they have one shape: reading them stays fast. */
export function draftOf(state: Partial<GuardianState>): Draft {
  return {
    ...beginning,
    ...state,
    clock: { ...noTime, ...state.clock },
    limits: { ...noMeters, ...state.limits },
    streams: { ...noStreams, ...state.streams },
  };
}

const noTime: Required<Clock> = { at: 0, elapsedMs: 0, idleMs: 0, stalledMs: 0, workMs: 0, waitingFor: undefined };

const beginning: Draft = {
  version: 1,
  digest: "",
  attended: false,
  turn: 0,
  calls: 0,
  personTurn: 0,
  schedule: 0,
  compaction: 0,
  epoch: 0,
  tools: {},
  history: [],
  past: [],
  open: [],
  refused: [],
  findings: [],
  episodes: [],
  opened: 0,
  mutes: [],
  pending: [],
  broken: [],
  limits: noMeters,
  userLimits: {},
  isPriced: true,
  runTurns: 0,
  clock: noTime,
  messages: [],
  isNudged: false,
  streams: noStreams,
  chants: 0,
  compacting: { count: 0, turn: 0, events: 0 },
  subagents: [],
  subagentTotals: noSubagents,
  run: undefined,
  chanting: undefined,
  stopped: undefined,
};
