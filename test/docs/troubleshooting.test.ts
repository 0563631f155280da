import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codeSpans, readRepositoryFile, tableRows } from "./page.ts";

/** Sources whose texts are joined, and whose inserted values are replaced with `…`. */
function sourceTexts(): readonly string[] {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const files = execFileSync("git", ["ls-files", "packages/*/src/*.ts"], { cwd: root, encoding: "utf8" }).split("\n");
  return files
    .filter((file) => file !== "" && !file.includes(".test."))
    .map((file) =>
      readRepositoryFile(file)
        .replaceAll(/["`] \+\s+["`]/g, "")
        .replaceAll('\\"', '"')
        .replaceAll(/\$\{[^}]*\}/g, "…"),
    );
}

/** Whether a source has all fixed parts of a message. */
function contains(source: string, message: string): boolean {
  return message.split("…").every((part) => source.includes(part));
}

test("docs/troubleshooting.md shows messages as the program prints them", () => {
  const sources = sourceTexts();
  const messages = tableRows(readRepositoryFile("docs/troubleshooting.md")).flatMap(([first = ""]) => codeSpans(first));
  const shown = messages.filter((message) => message.includes(" "));
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((message) => !sources.some((source) => contains(source, message)))).toEqual([]);
});
