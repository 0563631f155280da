/** The part of zod that is used, in any version that a peer depends on. */
export interface Zod {
  readonly z: { object(shape: Readonly<Record<string, unknown>>): unknown; string(): unknown };
}
