import { cpuMicros, ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { type Session, startSession } from "./guardian-session.ts";
import { type Input, inputsOf } from "./input.ts";
import { sha256 } from "./sha256.ts";

const sessions = 3;
const windows = 10;
const windowCalls = 100;
const argsBytes = 1_000;

/** Characters of the saved state after a number of calls. */
export interface StateSize {
  readonly calls: number;
  readonly characters: number;
}

/**
 * Compares the cost of calls late and early in a session. A long session is brought close to its 10,000th call. Then
 * its next hundred calls and the calls 50 to 150 of a new session are timed in turn, on the same inputs.
 */
export function growth(): { readonly row: Row; readonly stateSizes: readonly StateSize[] } {
  const inputs = inputsOf(argsBytes, 10 * argsBytes, 7);
  const lateMicros: number[] = [];
  const earlyMicros: number[] = [];
  const stateSizes: StateSize[] = [];
  for (let session = 0; session < sessions; session += 1) {
    const longSession = startSession(sha256);
    for (let calls = 1; calls <= 10_000 - (windows * windowCalls) / 2; calls += 1) {
      callAll(longSession, inputs(1));
      if (session === 0 && (calls === 100 || calls === 1_000)) stateSizes.push(sizeOf(longSession, calls));
    }
    for (let window = 0; window < windows; window += 1) {
      const newSession = startSession(sha256);
      callAll(newSession, inputs(50));
      const batch = inputs(windowCalls);
      const measureLate = () => lateMicros.push(cpuMicros(() => callAll(longSession, batch)));
      const measureEarly = () => earlyMicros.push(cpuMicros(() => callAll(newSession, batch)));
      for (const measure of window % 2 === 0 ? [measureLate, measureEarly] : [measureEarly, measureLate]) measure();
      if (session === 0 && window === windows / 2 - 1) stateSizes.push(sizeOf(longSession, 10_000));
    }
  }
  const ratio = ratioOf(lateMicros, earlyMicros);
  return { row: row("guardian, around call 10,000", "around call 100", ratio, 1.1), stateSizes };
}

function callAll(session: Session, batch: readonly Input[]): void {
  for (const input of batch) session.call(input);
}

function sizeOf(session: Session, calls: number): StateSize {
  return { calls, characters: JSON.stringify(session.guardian.snapshot()).length };
}
