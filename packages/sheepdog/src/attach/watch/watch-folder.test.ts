import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { makeWatchFolder } from "./watch-folder.ts";

const scratch = scratchFolder();

test("the folder of a watch that was killed is removed by the next one, and that of a running one stays", async () => {
  const attachDir = join(dirname(await scratch("home/here", "")), "attach");
  const own = await makeWatchFolder({ attachDir });
  expect(statSync(own).mode & 0o777).toBe(0o700);
  const { pid } = spawnSync(process.execPath, ["-e", "0"]);
  const left = join(attachDir, `watch-${pid}-abcdef`);
  mkdirSync(left);
  writeFileSync(join(left, "settings.json"), "{}");
  const others = [`watch-${process.ppid}-abcdef`, "claude-code"];
  for (const name of others) mkdirSync(join(attachDir, name));
  const next = await makeWatchFolder({ attachDir });
  expect(readdirSync(attachDir).sort()).toEqual([...others, basename(own), basename(next)].sort());
});
