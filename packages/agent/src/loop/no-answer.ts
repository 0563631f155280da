/** Why the gate or the user gave no answer: abort or failure counts as denial. */
export function reasonForNoAnswer(signal: AbortSignal, error: unknown): string {
  if (signal.aborted) return "the run was ended";
  return `it could not be asked for (${error instanceof Error ? error.message : String(error)})`;
}
