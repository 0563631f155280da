// Sentences that the tables quote: from the comments above the code, and from the beginning of pages.
import { read } from "./part.mjs";

/** The source of a detector. */
export function detectorSource(name) {
  return read(`packages/guardian/src/detect/detectors/${name}.ts`);
}

/** The comment above a preset, or above the function that makes it. */
export function presetSentence(name) {
  const constant = `${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Policy`;
  const source = ["default-policy", "presets", "seed-policies"]
    .map((file) => read(`packages/guardian/src/policy/${file}.ts`))
    .join("\n");
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])+)\\*/\\nexport (?:const|function) ${constant}\\b`).exec(
    source,
  )?.[1];
  if (comment === undefined) throw new Error(`Expected a comment above ${constant}, found none`);
  return comment.replace(/\s*\n \* ?/g, " ").trim();
}

/** The first sentence of a page, below its title. */
export function pageSentence(file) {
  const sentence = /^# [^\n]*\n\n(.+?)\n\n/s.exec(read(file))?.[1];
  if (sentence === undefined) throw new Error(`Expected a sentence below the title of ${file}, found none`);
  return sentence.replaceAll("\n", " ");
}
