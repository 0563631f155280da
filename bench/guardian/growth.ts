import { cpuMicros, ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { type Session, startSession } from "./guarded.ts";
import { type Input, inputsOf } from "./input.ts";
import { sha256 } from "./sha256.ts";

const SESSIONS = 3;
const WINDOWS = 10;
const WINDOW = 100;
const ARGS_BYTES = 1_000;

/** Characters of the saved state after so many calls. */
export interface StateSize {
  readonly calls: number;
  readonly characters: number;
}

/**
 * Whether a call costs more late in a session than early. Old sessions are brought to just before their 10,000th call;
 * then, in turn and on the same inputs, their next hundred calls are timed and the calls 50 to 150 of a new session.
 */
export function growth(): { readonly row: Row; readonly stateSizes: readonly StateSize[] } {
  const inputs = inputsOf(ARGS_BYTES, 10 * ARGS_BYTES, 7);
  const late: number[] = [];
  const early: number[] = [];
  const stateSizes: StateSize[] = [];
  for (let i = 0; i < SESSIONS; i++) {
    const old = startSession(sha256);
    for (let calls = 1; calls <= 10_000 - (WINDOWS * WINDOW) / 2; calls++) {
      feed(old, inputs(1));
      if (i === 0 && (calls === 100 || calls === 1_000)) stateSizes.push(sizeOf(old, calls));
    }
    for (let window = 0; window < WINDOWS; window++) {
      const young = startSession(sha256);
      feed(young, inputs(50));
      const batch = inputs(WINDOW);
      const order = window % 2 === 0 ? ([old, young] as const) : ([young, old] as const);
      for (const session of order) (session === old ? late : early).push(cpuMicros(() => feed(session, batch)));
      if (i === 0 && window === WINDOWS / 2 - 1) stateSizes.push(sizeOf(old, 10_000));
    }
  }
  return { row: row("guardian, around call 10,000", "around call 100", ratioOf(late, early), 1.1), stateSizes };
}

function feed(session: Session, batch: readonly Input[]): void {
  for (const input of batch) session.call(input);
}

function sizeOf(session: Session, calls: number): StateSize {
  return { calls, characters: JSON.stringify(session.guardian.snapshot()).length };
}
