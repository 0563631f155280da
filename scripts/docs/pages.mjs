// Every detector and every limit has one page.
import { readdirSync } from "node:fs";
import { detectorNames, limitNames } from "@sheepdog/guardian";
import { detectorDefaults, detectorPage, limitDefaults, limitPage } from "./defaults.mjs";
import { detectorSays, example, limitSays } from "./says.mjs";

/** The pages with their generated parts. */
export function pages() {
  return [
    ...detectorNames.map((name) => ({
      file: detectorPage(name),
      parts: { example: example(name), defaults: detectorDefaults(name), says: detectorSays(name) },
    })),
    ...limitNames.map((name) => ({
      file: limitPage(name),
      parts: { example: example(name), defaults: limitDefaults(name), says: limitSays(name) },
    })),
  ];
}

/** Sentences about missing pages and about pages without a subject. */
export function pageProblems() {
  const folder = "docs/guardian";
  const present = readdirSync(new URL(`../../${folder}`, import.meta.url)).map((name) => `${folder}/${name}`);
  const expected = [`${folder}/README.md`, ...detectorNames.map(detectorPage), ...limitNames.map(limitPage)];
  return [
    ...expected
      .filter((file) => !present.includes(file))
      .map((file) => `${file} is missing: every detector and every limit has a page`),
    ...present.filter((file) => !expected.includes(file)).map((file) => `${file} is about no detector and no limit`),
  ];
}
