import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isBuilt } from "../e2e/sandbox.ts";

const MAX_BYTES = 150_000;
const web = fileURLToPath(new URL("../../dist/web/", import.meta.url));
/** The pages that are loaded when they are shown: the list of runs, and one run. */
const pages = /^runs?-page-[\w-]+\.js$/;

describe.skipIf(!isBuilt)("the first screen", () => {
  test("has at most 150 kB of gzipped files, with the list of runs and the page of a run", () => {
    const files = firstScreenFiles();
    expect(files.filter((name) => pages.test(name.replace("assets/", "")))).toHaveLength(2);
    expect(files.some((name) => name.endsWith(".css"))).toBe(true);
    const bytes = files.map((name) => gzipSync(readFileSync(`${web}${name}`)).length);
    expect(bytes.reduce((total, each) => total + each, 0)).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** The HTML, what it names, the chunks of both pages, and everything that these import. */
function firstScreenFiles(): readonly string[] {
  const html = readFileSync(`${web}index.html`, "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, name = ""]) => name);
  const chunks = readdirSync(`${web}assets`).filter((name) => pages.test(name));
  const files = new Set(["index.html", ...named, ...chunks.map((name) => `assets/${name}`)]);
  for (const name of files) // also visits what is added meanwhile
    if (name.endsWith(".js")) for (const imported of importsOf(name)) files.add(imported);
  return [...files];
}

/** The chunks without which a chunk does not start; `import("…")` comes later. */
function importsOf(name: string): readonly string[] {
  const source = readFileSync(`${web}${name}`, "utf8");
  return [...source.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, file]) => `assets/${file}`);
}
