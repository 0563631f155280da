// Plays a scripted night into a Sheepdog home, for screenshots, browser tests and benchmarks:
// `node scripts/night/play-night.mjs <home> [<projects>]`. The same night has the same runs, ids, times and costs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStores } from "../../packages/agent/dist/index.js";
import { earlierStories } from "./earlier-stories.mjs";
import { playStory } from "./play-story.mjs";
import { at, migration, stories } from "./stories.mjs";

/** The first midnight of the story: 10 November 2026, local time. */
export const firstMidnight = new Date(2026, 10, 10).getTime();

/** When the pages are looked at: 11 November, 08:52. */
export const morning = firstMidnight + at("08:52");

const configuration = `[budget]
monthly_limit_cents = 40000
warning_threshold_cents = 30000
per_day_limit_cents = 6000
per_run_limit_cents = 500
`;

/** Plays all stories. Resolves with the result of each. */
export async function playNight({ home, projects }) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.toml"), configuration);
  const stores = await sqliteStores({ path: join(home, "sheepdog.db"), logDir: join(home, "logs") });
  migration.unmuteAt = firstMidnight + at("06:36");
  const results = [];
  try {
    for (const story of [...earlierStories, ...stories])
      results.push(await playStory(story, { stores, startAt: firstMidnight + story.startAt, folder: projects }));
  } finally {
    await stores.close();
  }
  return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , home = "night-home", projects = join(home, "projects")] = process.argv;
  for (const { name, result, endedAt } of await playNight({ home, projects }))
    console.log(
      name,
      result.reason,
      result.turns,
      (result.costNanoUsd ?? 0) / 1e9,
      new Date(endedAt).toTimeString().slice(0, 5),
    );
}
