/** A share as a percentage, `34 %`: rounded down, as in the sentences of the guardian, so that 100 % is never early. */
export function percent(used: number, of: number): string {
  return `${of > 0 && Number.isFinite(of) ? Math.floor((100 * used) / of) : 0} %`;
}

/** A share in a sentence: what is less than a percent is not nothing. */
export function shareText(part: number, whole: number): string {
  return part > 0 && part * 100 < whole ? "under 1 %" : percent(part, whole);
}
