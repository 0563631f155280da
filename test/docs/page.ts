import { readFileSync } from "node:fs";

/** The text of a file of the repository. */
export function readRepositoryFile(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** The rows of all tables of a page, as cells; without the rows of titles. */
export function tableRows(page: string): readonly (readonly string[])[] {
  const lines = page.split("\n");
  return lines.flatMap((line, index) => {
    const isTitle = lines[index + 1]?.startsWith("|---") ?? false;
    if (!line.startsWith("| ") || isTitle) return [];
    return [line.slice(2, -2).split(" | ")];
  });
}

/** The texts in backticks. */
export function codeSpans(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
