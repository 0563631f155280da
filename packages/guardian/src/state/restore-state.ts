import { asRecord } from "../perceive/as-record.ts";
import type { GuardianState } from "./guardian-state.ts";
import { initialState } from "./initial-state.ts";

/**
 * Reads a saved state. Missing fields get their initial values; prints of another digest are dropped, with a note.
 * The values themselves are not checked: a state that was tampered with makes the next step throw.
 */
export function restoreState(
  saved: unknown,
  digest: string,
): { readonly state: GuardianState; readonly note?: string } {
  const initial = initialState(digest);
  const fields = asRecord(saved);
  const version = fields["version"];
  if (version !== 1)
    return {
      state: initial,
      note: `expected a guardian state of version 1, got ${String(version ?? saved)}; starting with an empty state`,
    };
  const restored: GuardianState = {
    ...initial,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in initial)),
    clock: { ...initial.clock, ...asRecord(fields["clock"]) },
    subagentTotals: { ...initial.subagentTotals, ...asRecord(fields["subagentTotals"]) },
    compactionStreak: { ...initial.compactionStreak, ...asRecord(fields["compactionStreak"]) },
    streams: {},
    chant: undefined,
  };
  if (restored.digest === initial.digest) return { state: restored };
  return {
    state: {
      ...restored,
      digest: initial.digest,
      history: [],
      traces: [],
      unanswered: [],
      findings: [],
      episodes: [],
    },
    note: `the guardian state was saved with digest ${restored.digest}, not ${digest}: its calls are dropped`,
  };
}
