import { z } from "zod";

/**
 * What a project file that nobody has trusted yet may do with a key: make it stricter in one direction, whatever it likes (what is merely a matter of taste),
 * or nothing.
 *
 * `lower` is for numbers, `lower-limit` for those whose 0 means "none", so that any other number is stricter.
 * `longer-list` adds to what is there.
 */
export type Reach = "lower" | "lower-limit" | "true" | "false" | "longer-list" | "free" | "nothing";

/** What is said of a key beside its type. The description comes from the schema itself. */
export interface KeyNote {
  readonly reach: Reach;
}

/** The notes of all keys, by their schema. */
export const keyNotes = z.registry<KeyNote>();

/** A key of the configuration: its type, what it does, and what an untrusted project file may do with it. */
export function key<S extends z.ZodType>(schema: S, reach: Reach, description: string): S {
  const described = schema.describe(description);
  keyNotes.add(described, { reach });
  return described;
}
