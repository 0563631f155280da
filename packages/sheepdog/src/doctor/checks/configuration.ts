import type { Origin } from "../../config/load-config.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

/** Checks whether the configuration is valid, and reports ignored keys. */
export const configurationCheck: Check = {
  name: "configuration",
  async run(context) {
    const loaded = await context.loaded();
    if (!loaded.ok) return loaded.problems.map((problem) => fail(problem, "Correct it, then run: sheepdog doctor"));
    return [ok(describeOrigins(loaded.origins)), ...loaded.notes.map((note) => warn(note))];
  },
};

function describeOrigins(origins: ReadonlyMap<string, Origin>): string {
  const counts = new Map<string, number>();
  for (const origin of origins.values()) {
    if (origin === "default") continue;
    const source = "file" in origin ? origin.file : "env" in origin ? "the environment" : "flags";
    counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  if (counts.size === 0) return "Nothing is configured; all values are defaults.";
  const sources = [...counts].map(([source, count]) => `${counted(count, "key")} from ${source}`);
  return `${sources.join(", ")}; all other values are defaults.`;
}
