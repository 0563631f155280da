import { fields } from "./fields.ts";
import { type GuardianState, initialState, noStreams } from "./state.ts";

/** Reads a saved state. Fields that an older version did not have get their beginnings; what cannot be compared is dropped, and said. */
export function restoreState(saved: unknown, digest: string): { readonly state: GuardianState; readonly note?: string } {
  const fresh = initialState(digest);
  const { version } = fields(saved);
  if (version !== 1) return { state: fresh, note: `expected a guardian state of version 1, got ${String(version ?? saved)}; starting afresh` };
  const within = <K extends "clock" | "brood" | "compacting">(part: K) => ({ ...fresh[part], ...fields(fields(saved)[part]) });
  const parts = { clock: within("clock"), brood: within("brood"), compacting: within("compacting"), streams: noStreams };
  const kept = Object.fromEntries(Object.entries(fields(saved)).filter(([name]) => name in fresh || name === "run" || name === "stopped"));
  const state: GuardianState = { ...fresh, ...kept, ...parts, version }; // of version 1, as it was saved: a state that was tampered with makes the first step throw
  if (state.digest === fresh.digest) return { state };
  const note = `the guardian state was saved with digest ${state.digest}, not ${digest}: its history cannot be compared and is dropped`;
  return { state: { ...state, digest: fresh.digest, history: [], past: [], open: [], found: [], episodes: [] }, note };
}
