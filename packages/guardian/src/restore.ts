import { type GuardianState, initialState } from "./state.ts";

/** Reads a saved state. Fields that an older version did not have get their beginnings; what cannot be read is dropped, and said. */
export function restoreState(saved: unknown, digest: string): { readonly state: GuardianState; readonly note?: string } {
  const fresh = initialState(digest);
  if (typeof saved !== "object" || saved === null || Array.isArray(saved))
    return { state: fresh, note: `expected a saved guardian state, got ${saved === null ? "null" : typeof saved}; starting afresh` };
  if (!("version" in saved) || saved.version !== 1)
    return { state: fresh, note: `saved guardian state has version ${"version" in saved ? String(saved.version) : "none"}, expected 1; starting afresh` };
  const misfits = Object.keys(fresh).filter((key) => key in saved && !isLike(fresh[key as keyof GuardianState], saved[key as keyof typeof saved]));
  if (misfits.length > 0) return { state: fresh, note: `saved guardian state has a malformed ${misfits.join(", ")}; starting afresh` };
  const state: GuardianState = { ...fresh, ...saved, version: 1 }; // every field present has just been seen to have its kind
  if (state.digest === digest) return { state };
  const kept = { ...state, digest, history: [], past: [], open: [], found: [], episodes: [] };
  return {
    state: kept,
    note: `saved guardian state was made with digest ${state.digest}, this one uses ${digest}; its history cannot be compared and is dropped`,
  };
}

function isLike(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) return Array.isArray(actual);
  return typeof expected === typeof actual && actual !== null && !Array.isArray(actual);
}
