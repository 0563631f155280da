import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { resolveHome } from "../../src/home.ts";

type HomeFolder = (env: Readonly<Record<string, string | undefined>>) => string;

const { homeFolder } = createRequire(import.meta.url)("../../bin/hook.js") as { readonly homeFolder: HomeFolder };

test.each([
  [{ HOME: "/home/ada" }],
  [{ HOME: " /home/ada " }],
  [{ HOME: "/home/ada", SHEEPDOG_HOME: "/srv/sheepdog" }],
  [{ HOME: "/home/ada", SHEEPDOG_HOME: " " }],
  [{}], // below the current folder, a project could bring compiled code
  [{ HOME: "projects" }],
])("with %j, a hook finds the same home as every other command", (env) => {
  expect(homeFolder(env)).toBe(resolveHome(env).dir);
});
