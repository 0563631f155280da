// Fails on words that this repository does not use, and on lines that are too long. Each finding names the line and
// the replacement. `node scripts/check-words.mjs packages/records docs` checks some paths only.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const MAX_COLUMNS = 120;

/**
 * The words. `match` is tried on text in which identifiers are split: `bookedTo` reads `booked To`, `last-will` reads
 * `last will`. `name` is an identifier or a file name and is searched as it is. `within` limits an entry to some paths.
 */
const words = [
  { match: "books|booked|book(?= ?\\()", instead: "ledger, recorded, record()" },
  {
    match: "doors?|halls?",
    within: /^(?!packages\/guardian\/test\/)/, // stories of recorded agents have real doors
    instead: "entry (of a package); command definition, handler (of a command)",
  },
  {
    match: "rooms?(?! (?:for|left|to|again)\\b)",
    within: /^packages\/sheepdog\//,
    instead: "handler, CommandContext",
  },
  { match: "broods?", instead: "subagents" },
  { match: "deeds?", instead: "action" },
  { match: "nod(?:s|ded|ding)?", instead: "acknowledgement, bareAck" },
  { match: "heed(?:s|ed|ing)?", instead: "apply, follow" },
  { match: "untold", instead: "pending" },
  { match: "work(?:s|ed|ing)? off|work (?:a|the) \\w+ off", instead: "run, execute" },
  { match: "go(?:es)? on", instead: "continue, is running, resume" },
  { match: "set anew", instead: "changed to" },
  { match: "whom", instead: "name the actor: the caller, the user, another process, the model" },
  { match: "last will", instead: "orphan reaper" },
  { match: "abandon(?:s|ed|ing)?", instead: "closeOrphanedRun" },
  { match: "unasked", instead: "promptPending" },
  { match: "is told of", instead: "receives, is reported to" },
  { match: "nobody is", instead: "name the actor, or use the passive without an actor" },
  { match: "impatient(?:ly)?", instead: "withTimeout" },
  { match: "frank lines", instead: "visible-lines" },
  { match: "comes round", instead: "recovering-story" },
  { name: "FamilySign", instead: "ProcessTreeId" },
  { name: "endWithUs", instead: "killOnExit" },
  { name: "keepShape", instead: "nothing: write the object once" },
  { name: "keep-shape", instead: "nothing: write the object once" },
  { name: "callOut", instead: "the plain call" },
  { name: "call-out", instead: "the plain call" },
].map(({ match, name, ...entry }) => ({
  ...entry,
  splitsIdentifiers: match !== undefined,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${match ?? name})(?![\\p{L}\\p{N}])`, match === undefined ? "gu" : "giu"),
}));

/** Files that are not checked: generated, locked, or about the words themselves. */
const excluded = /^(?:bench\/results\/|docs\/api\/|scripts\/check-words\.)|(?:^|\/)(?:package-lock\.json|LICENSE)$/;
const textFile = /\.(?:[cm]?[jt]sx?|json|jsonc|md|out|sh|svg|toml|txt|ya?ml)$|(?:^|\/)[^./]+$/;
const limitedFile = /\.(?:tsx?|mjs|md)$/;

/** The unused words in a file's name and text, as sentences. */
export function findWords(file, text) {
  const inName = wordsIn(file, file).map(({ word, instead }) => `${file}: name has "${word}"; use: ${instead}`);
  let lineEnd = "";
  const inText = text.split("\n").flatMap((line, index) => {
    const found = wordsIn(file, line, lineEnd);
    lineEnd = /\S+ \S+$|\S+$/.exec(line.trimEnd())?.[0] ?? "";
    return found.map(({ word, instead }) => `${file}:${index + 1}: "${word}"; use: ${instead}`);
  });
  return [...inName, ...inText];
}

/** The matches in a line, and those that begin with `lineEnd`, the last two words of the line before it. */
function wordsIn(file, line, lineEnd = "") {
  const start = `${lineEnd} `;
  const joined = start + line.replace(/^\s*(?:\*|\/\/|\/\*\*|#|>|\|)?\s*/, "");
  return words
    .filter(({ within }) => within?.test(file) ?? true)
    .flatMap(({ pattern, splitsIdentifiers, instead }) => {
      const split = splitsIdentifiers ? splitIdentifiers : (text) => text;
      const ownPart = split(start).length;
      const matches = [...split(joined).matchAll(pattern)];
      return matches.filter((match) => match.index + match[0].length > ownPart).map(([word]) => ({ word, instead }));
    });
}

/** Puts spaces between the words of camelCase, snake_case and kebab-case names. */
function splitIdentifiers(text) {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_-]/g, " ");
}

/** The lines of more than 120 columns, as sentences; rows of Markdown tables and long URLs excepted. */
export function findLongLines(file, text) {
  if (!limitedFile.test(file)) return [];
  return text.split("\n").flatMap((line, index) => {
    const columns = [...line].length;
    if (columns <= MAX_COLUMNS || (file.endsWith(".md") && line.trimStart().startsWith("|"))) return [];
    if ([...line.replace(/https?:\/\/\S{40,}/g, "")].length <= MAX_COLUMNS) return [];
    return [`${file}:${index + 1}: ${columns} columns; the limit is ${MAX_COLUMNS}`];
  });
}

function main(paths) {
  const root = fileURLToPath(new URL("../", import.meta.url));
  const tracked = execFileSync("git", ["ls-files", "--", ...paths], { cwd: root, encoding: "utf8" }).split("\n");
  const files = tracked.filter((file) => textFile.test(file) && !excluded.test(file));
  const findings = files.flatMap((file) => {
    const text = readFileSync(`${root}${file}`, "utf8");
    return [...findWords(file, text), ...findLongLines(file, text)];
  });
  for (const finding of findings) console.log(finding);
  console.log(findings.length === 0 ? `ok     ${files.length} files` : `FAILED ${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
