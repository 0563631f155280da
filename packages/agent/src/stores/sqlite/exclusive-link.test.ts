import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linkExclusively } from "./exclusive-link.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();
const failingLink = (code: string) => () => {
  throw Object.assign(new Error(`${code}: link`), { code });
};

test("a file gets a free name, and never one that is taken", () => {
  writeFileSync(inFolder("one"), "1");
  linkExclusively(inFolder("one"), inFolder("two"));
  expect(readFileSync(inFolder("two"), "utf8")).toBe("1");
  expect(() => linkExclusively(inFolder("one"), inFolder("two"))).toThrow("EEXIST");
});

test("the same holds on a file system without hard links", () => {
  for (const name of ["one", "two"]) writeFileSync(inFolder(name), name);
  expect(() => linkExclusively(inFolder("one"), inFolder("two"), failingLink("EPERM"))).toThrow("EEXIST");
  linkExclusively(inFolder("one"), inFolder("three"), failingLink("EPERM"));
  expect([
    readFileSync(inFolder("three"), "utf8"),
    existsSync(inFolder("one")),
    readFileSync(inFolder("two"), "utf8"),
  ]).toEqual(["one", false, "two"]);
});

test("other errors are passed on unchanged", () => {
  writeFileSync(inFolder("one"), "1");
  expect(() => linkExclusively(inFolder("one"), inFolder("two"), failingLink("ENOSPC"))).toThrow("ENOSPC");
});
