import { z } from "zod";

/**
 * How an untrusted project file may change a key: make it stricter in one direction, freely (if the key is a matter of
 * taste), or not at all.
 *
 * `lower` is for numbers; `lower-limit` for numbers whose 0 means "no limit", so that any other number is stricter.
 * `longer-list` adds entries. `stricter-rules` adds rules that ask or deny; trusted files add rules of any kind. `deny`
 * sets that word.
 */
export type ProjectReach =
  | "lower"
  | "lower-limit"
  | "true"
  | "false"
  | "longer-list"
  | "stricter-rules"
  | "deny"
  | "free"
  | "nothing";

/** Metadata of a key. Its type and description are in the schema itself. */
export interface KeyNote {
  readonly reach: ProjectReach;
  /** For a key without a default: the value that a project file is compared with while the key is not set. */
  readonly unset?: number;
}

/** The metadata of all keys, by their schema. */
export const keyNotes = z.registry<KeyNote>();

/** Defines a key: its type, how an untrusted project file may change it, and its description. */
export function configKey<S extends z.ZodType>(schema: S, reach: ProjectReach, description: string, unset?: number): S {
  const described = schema.describe(description);
  keyNotes.add(described, { reach, ...(unset === undefined ? {} : { unset }) });
  return described;
}
