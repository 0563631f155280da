/** The list with one more at its end: at most the newest `most` of them, which are two or more. */
export function withNewest<T>(list: readonly T[], newest: T, most: number): readonly T[] {
  const longer = list.slice(1 - most);
  longer.push(newest);
  return longer;
}
