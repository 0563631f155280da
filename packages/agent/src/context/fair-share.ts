/**
 * The max-min fair share: the size to which larger items are cut so that all items fit into `room`, while smaller items
 * stay whole. Infinity if everything fits.
 */
export function fairShare(sizes: readonly number[], room: number): number {
  const ascending = sizes.toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
