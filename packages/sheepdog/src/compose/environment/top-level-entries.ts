import { opendir } from "node:fs/promises";
import { plainText } from "../../render/terminal/plain-text.ts";

const MAX_SHOWN = 50;
/** A folder may have millions of entries; this many are read. */
const MAX_READ = 1_000;
const MAX_NAME_CHARS = 80;

/** The first files and folders of a folder, by name, as one line; undefined if the folder cannot be read. */
export async function listTopLevelEntries(folder: string): Promise<string | undefined> {
  const names = await readNames(folder);
  if (names === undefined) return undefined;
  if (names.length === 0) return "none";
  const shown = names.slice(0, MAX_SHOWN).join(", ");
  const left = names.length - MAX_SHOWN;
  if (left <= 0) return shown;
  return `${shown}, and ${names.length === MAX_READ ? "many" : left} more`;
}

/** The sorted names; a folder ends with a slash. Git's own folder is left out. */
async function readNames(folder: string): Promise<readonly string[] | undefined> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name === ".git") continue;
      names.push(plainText(entry.name).slice(0, MAX_NAME_CHARS) + (entry.isDirectory() ? "/" : ""));
      if (names.length === MAX_READ) break;
    }
  } catch {
    return undefined; // the listing is a help for the model; tools report what cannot be read
  }
  return names.sort();
}
