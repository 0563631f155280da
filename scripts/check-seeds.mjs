// Fails when a test that docs/seeds.md names does not exist, or when a row names neither tests nor a feature.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A row of the table: number, promise, lines, and what shows it: a feature, or tests with `<br>` between them. */
const row = /^\| (\d\.\d+) \| [^|]+ \| [^|]+ \| (.+) \|$/;
const namedTest = /^`([^`]+)` › (.+)$/;
const feature = /^(?:later|in progress): \S/;

/** The problems of the page, as sentences. `readSource` returns the text of a file, or undefined. */
export function findSeedProblems(page, readSource) {
  const rows = page.split("\n").filter((line) => /^\| \d/.test(line));
  return rows.flatMap((line) => {
    const [, number, shownBy] = row.exec(line) ?? [];
    if (number === undefined) return [`not a row of four columns: ${line}`];
    if (feature.test(shownBy)) return [];
    return shownBy.split("<br>").flatMap((named) => findTestProblems(number, named, readSource));
  });
}

function findTestProblems(number, named, readSource) {
  const [, file, title] = namedTest.exec(named) ?? [];
  if (file === undefined) return [`${number} names neither a test nor a feature: ${named}`];
  const source = readSource(file);
  if (source === undefined) return [`${number}: there is no file ${file}`];
  return hasTest(source, title) ? [] : [`${number}: ${file} has no test "${title}"`];
}

/** Whether a call of `test` has this title. A group of tests, and a test that is never executed, do not count. */
function hasTest(source, title) {
  const escaped = JSON.stringify(title).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<!\\.todo|\\.skip|\\bdescribe)\\(\\s*${escaped},`).test(source);
}

function main() {
  const root = new URL("../", import.meta.url);
  const page = readFileSync(new URL("docs/seeds.md", root), "utf8");
  const problems = findSeedProblems(page, (file) => {
    const url = new URL(file, root);
    return existsSync(url) ? readFileSync(url, "utf8") : undefined;
  });
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? "ok     docs/seeds.md" : `FAILED ${problems.length} rows of docs/seeds.md`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
