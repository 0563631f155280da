import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { linkExclusively } from "./exclusive-link.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();
const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: link`), { code });
};

test("a file gets a name that nothing has, and never one that something has", () => {
  writeFileSync(inFolder("one"), "1");
  linkExclusively(inFolder("one"), inFolder("two"));
  expect(readFileSync(inFolder("two"), "utf8")).toBe("1");
  expect(() => linkExclusively(inFolder("one"), inFolder("two"))).toThrow("EEXIST");
});

test("so it is where a file system knows no second names", () => {
  for (const name of ["one", "two"]) writeFileSync(inFolder(name), name);
  expect(() => linkExclusively(inFolder("one"), inFolder("two"), failing("EPERM"))).toThrow("EEXIST");
  linkExclusively(inFolder("one"), inFolder("three"), failing("EPERM"));
  expect([
    readFileSync(inFolder("three"), "utf8"),
    existsSync(inFolder("one")),
    readFileSync(inFolder("two"), "utf8"),
  ]).toEqual(["one", false, "two"]);
});

test("what else is wrong is told as it is", () => {
  writeFileSync(inFolder("one"), "1");
  expect(() => linkExclusively(inFolder("one"), inFolder("two"), failing("ENOSPC"))).toThrow("ENOSPC");
});
