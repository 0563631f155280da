/** The list with one more at its end: at most the newest `most` of them. */
export function withNewest<T>(list: readonly T[], newest: T, most: number): readonly T[] {
  const longer = list.concat([newest]);
  if (longer.length > most) longer.splice(0, longer.length - most);
  return longer;
}
