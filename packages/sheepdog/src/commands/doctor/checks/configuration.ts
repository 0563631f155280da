import type { Origin } from "../../../config/load-config.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

/** Whether the configuration can be read, and what of it is left out. */
export const configurationCheck: Check = {
  name: "configuration",
  async run(world) {
    const loaded = await world.loaded();
    if (!loaded.ok) return loaded.problems.map((problem) => fail(problem, "Correct it there."));
    return [ok(whereFrom(loaded.origins)), ...loaded.notes.map((note) => warn(note))];
  },
};

function whereFrom(origins: ReadonlyMap<string, Origin>): string {
  const counts = new Map<string, number>();
  for (const origin of origins.values()) {
    if (origin === "default") continue;
    const place = "file" in origin ? origin.file : "env" in origin ? "the environment" : "flags";
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  if (counts.size === 0) return "Nothing is configured: the defaults hold.";
  return `${[...counts].map(([place, count]) => `${counted(count, "key")} from ${place}`).join(", ")}; the defaults for the rest.`;
}
