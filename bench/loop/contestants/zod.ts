/** What is used of zod, whichever version a peer brings. */
export interface Zod {
  readonly z: { object(shape: Readonly<Record<string, unknown>>): unknown; string(): unknown };
}
