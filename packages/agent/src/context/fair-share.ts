/** The size to which the larger ones have to be cut so that all together fit: small ones stay whole. Infinity where nothing has to be cut. */
export function waterLine(sizes: readonly number[], room: number): number {
  const rising = sizes.toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
