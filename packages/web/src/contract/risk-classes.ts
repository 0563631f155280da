/** What each risk class of the gate means. */
const meanings = [
  "only reads",
  "changes files in the workspace",
  "runs the project's own code",
  "reaches beyond the workspace",
  "is destructive or not understood",
] as const;

/** A risk class in words: "T3: reaches beyond the workspace". */
export function riskClassText(tier: number): string {
  const meaning = meanings[tier];
  return meaning === undefined ? `T${tier}` : `T${tier}: ${meaning}`;
}
