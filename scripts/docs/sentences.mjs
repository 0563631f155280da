// Sentences that the tables borrow: from above the code they are about, and from the beginning of pages.
import { read } from "./part.mjs";

/** A detector's file as it stands. */
export function detectorSource(name) {
  return read(`packages/guardian/src/judge/detectors/${name}.ts`);
}

/** What stands above a detector. */
export function detectorSentence(name) {
  return above(detectorSource(name), "const \\w+: ", name);
}

/** What stands above a preset, or above the function that makes it. */
export function presetSentence(name) {
  const constant = `${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Policy`;
  const sources = ["default-policy", "presets", "seed-policies"]
    .map((file) => read(`packages/guardian/src/${file}.ts`))
    .join("\n");
  return above(sources, `(?:const|function) ${constant}\\b`, name);
}

/** What a page says first, below its title. */
export function pageSentence(file) {
  const sentence = /^# [^\n]*\n\n(.+?)\n\n/s.exec(read(file))?.[1];
  if (sentence === undefined) throw new Error(`Expected a sentence below the title of ${file}, found none`);
  return sentence.replaceAll("\n", " ");
}

function above(source, code, name) {
  const told = new RegExp(`/\\*\\*((?:(?!\\*/)[^])+)\\*/\\nexport ${code}`).exec(source)?.[1];
  if (told === undefined) throw new Error(`Expected a sentence above the code of ${name}, found none`);
  return told.replace(/\s*\n \* ?/g, " ").trim();
}
