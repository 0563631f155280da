import { first } from "./migrations/0001-first.ts";

/** What makes a database what it is now, in order. A released one is never changed: the next change is the next migration. */
export const migrations: readonly string[] = [first];
