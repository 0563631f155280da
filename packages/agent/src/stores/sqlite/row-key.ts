/** How many places a session has for its rows in a table: 2^30. */
const places = 1_073_741_824;

/** The key of a session's nth row: a session's rows lie side by side, in order. */
export function rowKey(session: number, n: number): number {
  const place = session * places + n;
  if (!(n >= 0 && n < places && Number.isSafeInteger(place)))
    throw new Error(`Expected a place from 0 to ${places - 1}, got ${n}.`);
  return place;
}

/** The first and the last key a session's rows may have. */
export function rowKeyRange(session: number): readonly [number, number] {
  return [rowKey(session, 0), rowKey(session, places - 1)];
}
