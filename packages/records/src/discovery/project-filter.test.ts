import { expect, test } from "vitest";
import { projectFilter } from "./project-filter.ts";

const folders = ["/home/ada/shop", "/home/ada/shop/api", "/home/ada/shopping", "/srv/API", null];

function chosen(text: string) {
  return folders.filter(projectFilter(text, { cwd: "/home/ada/shop", homeFolder: "/home/ada" }));
}

test("a path is the folder with all below it", () => {
  const inShop = ["/home/ada/shop", "/home/ada/shop/api"];
  for (const path of [".", "~/shop", "/home/ada/shop/", "../shop"]) expect(chosen(path)).toEqual(inShop);
  expect(chosen("./api")).toEqual(["/home/ada/shop/api"]);
  expect(chosen("/")).toHaveLength(4);
});

test("any other text is a part of the path", () => {
  expect(chosen("api")).toEqual(["/home/ada/shop/api", "/srv/API"]);
  expect(chosen("shop")).toEqual(["/home/ada/shop", "/home/ada/shop/api", "/home/ada/shopping"]);
  expect(chosen("ada/shopping")).toEqual(["/home/ada/shopping"]);
});
