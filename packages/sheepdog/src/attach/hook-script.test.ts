import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { resolveHome } from "../home.ts";
import { hookScriptText, observeMark } from "./hook-script.ts";
import { setMark } from "./mark.ts";

const file = scratchFolder();

/** A script in a folder with a hostile name, which starts a program that prints its arguments. */
async function script(name = "it's a $(touch owned) place", hasProgram = true) {
  const folder = dirname(await file(`${name}/here`));
  const home = resolveHome({ HOME: folder, SHEEPDOG_HOME: join(folder, "own") });
  const bin = await file(`${name}/print.js`);
  if (hasProgram)
    writeFileSync(
      bin,
      "console.log(process.argv.slice(2).join(' '), process.env.SHEEPDOG_HOME === process.argv[1].replace('print.js', 'own'))",
    );
  const path = await file(
    `${name}/sheepdog-hook`,
    hookScriptText(home, { node: process.execPath, bin }, { HOME: folder }),
  );
  chmodSync(path, 0o755);
  const run = (args: readonly string[], env = {}) => {
    const { status, stdout, stderr } = spawnSync(path, args, { cwd: folder, env, encoding: "utf8" });
    return [status, stdout, stderr];
  };
  return { run, home };
}

test("it starts the installed program with the home, whatever the folders are called", async () => {
  const { run } = await script();
  expect(run(["claude-code"])).toEqual([0, "hook claude-code true\n", ""]);
  expect(run(["status-line"])).toEqual([0, "status-line true\n", ""]);
});

test("it observes with the mark of the agent, or the variable of watch", async () => {
  const { run, home } = await script();
  await setMark(observeMark(home, "codex"), true);
  expect(run(["codex"])).toEqual([0, "hook codex --observe true\n", ""]);
  expect(run(["claude-code"])).toEqual([0, "hook claude-code true\n", ""]);
  expect(run(["claude-code"], { SHEEPDOG_OBSERVE: "1" })).toEqual([0, "hook claude-code --observe true\n", ""]);
});

test("without Sheepdog it says nothing, and the agent continues", async () => {
  const { run } = await script("gone", false);
  expect(run(["claude-code"])).toEqual([0, "", ""]);
});
