/** How many row keys a session has in a table. */
export const rowKeysPerSession: number = 2 ** 30;

/** The key of a session's nth row. All rows of a session are adjacent and in order. */
export function rowKey(session: number, n: number): number {
  const key = session * rowKeysPerSession + n;
  if (!(n >= 0 && n < rowKeysPerSession && Number.isSafeInteger(key)))
    throw new Error(`Expected a row number from 0 to ${rowKeysPerSession - 1}, got ${n}.`);
  return key;
}

/** The first and the last possible key of a session's rows. */
export function rowKeyRange(session: number): readonly [first: number, last: number] {
  return [rowKey(session, 0), rowKey(session, rowKeysPerSession - 1)];
}
