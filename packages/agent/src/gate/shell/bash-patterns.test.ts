import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patterns } from "../risk/patterns.ts";
import { classifyBash } from "./classify-bash.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../../docs/bash-patterns.md"), "utf8");

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "gate-patterns-")));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

/** The rows of the tables: pattern, example and a part of the reason. The second table has tier 3. */
const rows = page.split("These patterns are tier 3").flatMap((section, at) =>
  section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))
    .map(([pattern = "", example = "", reason = ""]) => [pattern, toCommand(example), reason, 4 - at] as const),
);

/** The code span of a table cell: with `\|` for a pipe, and `\uXXXX` for a character that cannot be seen. */
function toCommand(cell: string): string {
  return cell
    .replace(/^(`+) ?(.*?) ?\1$/, "$2")
    .replaceAll("\\|", "|")
    .replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** Patterns of tools, of files, or of the size of a command line: they have tests of their own. */
const elsewhere = [
  ...["file list", "option from a file name", "link made by the same line", "hard link", "search too large"],
  ...["too complex", "destructive tool"],
];

test("the tables have every pattern", () => {
  const names = new Set([...rows.map(([pattern]) => pattern), ...elsewhere]);
  expect([...names].toSorted()).toEqual(Object.keys(patterns).toSorted());
});

test.each(rows)("%s: %s", (pattern, command, reason, tier) => {
  const risk = classifyBash(command, { workspace });
  expect(risk.tier).toBe(tier);
  expect(risk.patterns).toContain(pattern);
  expect(risk.reason).toContain(reason);
});
