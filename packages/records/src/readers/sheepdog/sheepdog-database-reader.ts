import { skip } from "../read-item.ts";
import type { DatabaseReader } from "../reader.ts";

/** Sheepdog's own database, which the stores of the agent read, not this package. */
export const sheepdogDatabaseReader: DatabaseReader = {
  type: "database",
  format: "sheepdog",
  label: "Sheepdog",
  recognizes: (tables) => ["sessions", "checkpoints", "fences", "reservations"].every((name) => tables.has(name)),
  *read(_, file) {
    yield skip(file, 0, "it is Sheepdog's own database; `sheepdog analyze` reads it as your own runs");
  },
};
