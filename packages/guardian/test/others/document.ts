import { answerOf } from "./answer.ts";
import { type OtherProject, type TranslatedTest, verdictOf } from "./other-project.ts";

/** The text of docs/other-projects.md. */
export function documentOf(projects: readonly OtherProject[]): string {
  return `${[introduction, summaryOf(projects), ...projects.map(sectionOf)].join("\n\n")}\n`;
}

const introduction = `# The tests of other projects

Other projects detect loops too, and test it. Each of their tests that feeds a sequence of calls or a stream is a
situation for the guardian here, in our own words. Where their test has no results, equal calls have equal results and
different calls have different results. The tables are written from \`packages/guardian/test/others/\`, which also
checks every row. After a change: \`npx vitest run packages/guardian/test/others -u\`.

- **silent**: nothing happens. **noticed**: a message, or a reply that is cut off; the run continues. **stopped**: a
  call is refused, or the run ends.
- **agree**: the same answer. It is also the same answer if they only notice what the guardian stops.
- **by design**: another answer on purpose; the table says why. In three of these the guardian uses force where they
  are silent: equal writes, equal failures and compactions in a row that change nothing.
- **wrong**: the guardian should answer otherwise.

Many of their tests set a threshold of their own; the guardian always has its default policy, except where a test is
about a limit. One test may give several cases.`;

function summaryOf(projects: readonly OtherProject[]): string {
  const rows = projects.map((project) => [project.name, ...numbersOf(project), project.version]);
  const totals = [0, 1, 2, 3, 4].map((i) => projects.reduce((sum, project) => sum + (numbersOf(project)[i] ?? 0), 0));
  return table(
    ["project", "cases", "agree", "by design", "wrong", "tests not translated", "version read"],
    [...rows, ["all", ...totals, ""]],
  );
}

/** Cases, agree, by design, wrong, not translated. */
function numbersOf({ tests, notTranslated }: OtherProject): readonly number[] {
  const count = (verdict: string) => tests.filter((test) => verdictOf(test).verdict === verdict).length;
  return [tests.length, count("agree"), count("by design"), count("wrong"), notTranslated.count];
}

function sectionOf({ name, repository, version, files, tests, notTranslated }: OtherProject): string {
  const list = [
    `- read from: ${repository}`,
    `- version: ${version}`,
    `- tests: ${files.map((file) => `\`${file}\``).join(", ")}`,
    `- not translated: ${notTranslated.count}, about ${notTranslated.about}`,
  ];
  const head = ["case", "their test", "theirs", "ours", "verdict", "why"];
  return [`## ${name}`, list.map(wrap).join("\n"), table(head, tests.map(rowOf))].join("\n\n");
}

function rowOf(test: TranslatedTest): readonly string[] {
  const { verdict, answer, why } = verdictOf(test);
  // Where they notice, the guardian may notice or stop.
  const ours = verdict === "agree" && answer === "noticed" ? answerOf(test) : answer;
  return [test.name, test.source, test.theirs, ours, verdict, why];
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Breaks an item of a list into lines of at most 118 columns. */
function wrap(item: string): string {
  const lines = [""];
  for (const word of item.split(/\s+/)) {
    const line = lines.at(-1) ?? "";
    if (line.length + 1 + word.length > 118) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
