import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configSchema } from "../config/schema.ts";
import { resolveHome } from "../home.ts";
import { resolveLogFolder } from "./log-folder.ts";

test("a relative log folder is relative to the home folder", () => {
  const home = resolveHome({ SHEEPDOG_HOME: "/dogs" });
  const dirs = [undefined, "elsewhere", "/var/log/dogs", "~/dogs"].map((dir) =>
    resolveLogFolder(configSchema.parse({ agent: { log: dir === undefined ? {} : { dir } } }), home),
  );
  expect(dirs).toEqual(["/dogs/logs", "/dogs/elsewhere", "/var/log/dogs", join(homedir(), "dogs")]);
});
