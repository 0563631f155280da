import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { classifyBash } from "./classify-bash.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/bash-patterns.md"), "utf8");

/** The rows of the table: pattern, example and a part of the reason. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))
  .map(([pattern = "", example = "", reason = ""]) => [pattern, toCommand(example), reason] as const);

/** The code span of a table cell: with `\|` for a pipe, and `\uXXXX` for a character that cannot be seen. */
function toCommand(cell: string): string {
  return cell
    .replace(/^(`+) ?(.*?) ?\1$/, "$2")
    .replaceAll("\\|", "|")
    .replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

test("the table has its patterns", () => {
  expect(rows.length).toBeGreaterThanOrEqual(25);
});

test.each(rows)("%s is tier 4: %s", (_, command, reason) => {
  const risk = classifyBash(command, { workspace: "/work" });
  expect(risk.tier).toBe(4);
  expect(risk.reason).toContain(reason);
});
