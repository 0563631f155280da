import { expect, test } from "vitest";
import { searchPath } from "./search-path.ts";

const workspace = "/home/a/app";

test("programs of the workspace are found last", () => {
  const environment = { HOME: "/home/a", PATH: "/home/a/app/node_modules/.bin:/home/a/.nvm/bin:/usr/bin" };
  expect(searchPath(environment, workspace, false)).toEqual([
    "/home/a/.nvm/bin",
    "/usr/bin",
    "/home/a/app/node_modules/.bin",
  ]);
});

test("an active virtual environment of the workspace stays in front", () => {
  const environment = { PATH: "/home/a/app/.venv/bin:/usr/bin", VIRTUAL_ENV: "/home/a/app/.venv" };
  expect(searchPath(environment, workspace, false)).toEqual(["/home/a/app/.venv/bin", "/usr/bin"]);
});

test("outside the sandbox no program of the workspace is found by name", () => {
  const environment = { PATH: "/home/a/app/.venv/bin:/usr/bin", VIRTUAL_ENV: "/home/a/app/.venv" };
  expect(searchPath(environment, workspace, true)).toEqual(["/usr/bin"]);
});

test("a workspace that is the home folder keeps the user's programs", () => {
  const environment = { HOME: "/home/a", PATH: "/home/a/x/node_modules/.bin:/home/a/.local/bin:/usr/bin" };
  expect(searchPath(environment, "/home/a", true)).toEqual(["/home/a/.local/bin", "/usr/bin"]);
});

test("relative and empty folders are left out", () => {
  expect(searchPath({ PATH: ".:/usr/bin::bin:/bin" }, workspace, false)).toEqual(["/usr/bin", "/bin"]);
  expect(searchPath({}, workspace, false)).toContain("/usr/bin");
});
