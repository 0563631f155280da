import { draftOf, initialState } from "./draft.ts";
import { fields } from "./fields.ts";
import { type GuardianState, noStreams } from "./state.ts";

/** Reads a saved state. Fields that an older version did not have get their beginnings; what cannot be compared is dropped, and said. */
export function restoreState(
  saved: unknown,
  digest: string,
): { readonly state: GuardianState; readonly note?: string } {
  const fresh = initialState(digest);
  const kept = fields(saved);
  const { version } = kept;
  if (version !== 1)
    return {
      state: fresh,
      note: `expected a guardian state of version 1, got ${String(version ?? saved)}; starting afresh`,
    };
  const state = draftOf({
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => name in fresh)), // of version 1, as it was saved: a state that was tampered with makes the first step throw
    clock: { ...fresh.clock, ...fields(kept["clock"]) },
    subagentTotals: { ...fresh.subagentTotals, ...fields(kept["subagentTotals"]) },
    compacting: { ...fresh.compacting, ...fields(kept["compacting"]) },
    streams: noStreams,
    chanting: undefined,
  });
  if (state.digest === fresh.digest) return { state };
  const note = `the guardian state was saved with digest ${state.digest}, not ${digest}: its history cannot be compared and is dropped`;
  return {
    state: { ...state, digest: fresh.digest, history: [], past: [], open: [], findings: [], episodes: [] },
    note,
  };
}
