/** A share as a percentage, `34 %`: rounded down, as in the sentences of the guardian, so that 100 % is never early. */
export function percent(used: number, of: number): string {
  return `${of > 0 && Number.isFinite(of) ? Math.floor((100 * used) / of) : 0} %`;
}
