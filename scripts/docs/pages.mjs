// A page for each detector and each limit, and none for anything else.
import { readdirSync } from "node:fs";
import { detectorNames, limitNames } from "@sheepdog/guardian";
import { detectorDefaults, detectorPage, limitDefaults, limitPage } from "./defaults.mjs";
import { detectorSays, limitSays } from "./says.mjs";

/** The pages with what is generated on them. */
export function pages() {
  return [
    ...detectorNames.map((name) => ({
      file: detectorPage(name),
      parts: { defaults: detectorDefaults(name), says: detectorSays(name) },
    })),
    ...limitNames.map((name) => ({
      file: limitPage(name),
      parts: { defaults: limitDefaults(name), says: limitSays(name) },
    })),
  ];
}

/** Sentences about pages that are missing, and about pages that nothing is the subject of. */
export function pageProblems() {
  const folder = "docs/guardian";
  const there = readdirSync(new URL(`../../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`);
  const due = [`${folder}/README.md`, ...detectorNames.map(detectorPage), ...limitNames.map(limitPage)];
  return [
    ...due
      .filter((file) => !there.includes(file))
      .map((file) => `${file} is missing: every detector and every limit has a page`),
    ...there.filter((file) => !due.includes(file)).map((file) => `${file} is about no detector and no limit`),
  ];
}
