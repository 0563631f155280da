import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readOptions } from "./options.ts";

const folder = mkdtempSync(join(tmpdir(), "rebuild-options-"));
mkdirSync(join(folder, "clones"));
writeFileSync(join(folder, "file"), "");
afterAll(() => rmSync(folder, { recursive: true }));

const read = (...flags: readonly string[]) => readOptions(flags, ["trail", "mlgym"], folder);

test("folders are relative to the folder where the command was typed", () => {
  expect(read("--clones", "clones", "--out", "runs")).toEqual({
    clones: join(folder, "clones"),
    out: join(folder, "runs"),
    source: undefined,
  });
});

test("a known source is accepted", () => {
  expect(read("--clones", "clones", "--out", "runs", "--source", "mlgym").source).toBe("mlgym");
});

test.each([
  [["--out", "runs"], "Expected --clones <folder> and --out <folder>. Usage: npm run bench:rebuild"],
  [["--clones", "clones"], "Expected --clones <folder> and --out <folder>."],
  [["--clone", "clones"], "Unknown option '--clone'"],
  [["--clones"], "Usage: npm run bench:rebuild"],
  [["clones", "runs"], "Usage: npm run bench:rebuild"],
  [["--clones", "clones", "--out", "runs", "--source", "x"], "Expected --source trail, mlgym; got x."],
  [["--clones", "absent", "--out", "runs"], "Expected a folder with clones after --clones; got "],
  [["--clones", "file", "--out", "runs"], "Expected a folder with clones after --clones; got "],
  [["--clones", "clones", "--out", "file"], "which is a file."],
])("the flags %j are refused with a sentence", (flags, sentence) => {
  expect(() => read(...flags)).toThrow(sentence);
});
