import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/package-root.ts";
import { isBuilt } from "./is-built.ts";
import { stuckRun } from "./recordings.ts";
import { scratchFolder } from "./scratch-folder.ts";

const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));

const file = scratchFolder();

// Variables for the tests themselves would be unknown keys of the configuration.
for (const name of Object.keys(process.env)) if (name.startsWith("SHEEPDOG_")) delete process.env[name];

function run(args: readonly string[], input = ""): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { input, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

test("the version is printed without a build", async () => {
  const copy = await file("copy/bin/sheepdog.js");
  cpSync(new URL("bin", packageRoot), dirname(copy), { recursive: true });
  cpSync(new URL("package.json", packageRoot), await file("copy/package.json"));
  const version = spawnSync(process.execPath, [copy, "-v"], { encoding: "utf8" });
  expect([version.status, version.stdout]).toEqual([0, run(["--version"]).out]);
  const unbuilt = spawnSync(process.execPath, [copy, "demo"], { encoding: "utf8" });
  expect([unbuilt.status, unbuilt.stdout, unbuilt.stderr]).toEqual([
    1,
    "",
    "Sheepdog is not built yet. Run: npm run build\n",
  ]);
});

describe.skipIf(!isBuilt)("the built command", () => {
  test("reads stdin and exits with the code of its findings", () => {
    expect(run(["analyze", "--fail-on", "hint"], stuckRun("a"))).toMatchObject({
      code: 5,
      out: expect.stringContaining("failed 3 times the same way"),
      err: "sheepdog: --fail-on hint: reached in 1 of 1 run\n",
    });
    expect(run(["analyze", "-"], "")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("stdin: it is empty"),
    });
    expect(run(["bark"])).toMatchObject({ code: 2, out: "" });
  });

  test("plays the demo without pauses if there is no terminal", async () => {
    const env = { ...process.env, SHEEPDOG_HOME: await file("home") };
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "demo"], { env, encoding: "utf8" });
    expect([status, stdout.includes("sheepdog: halt"), stderr]).toEqual([0, true, ""]);
  });

  test("reports that its folder was removed", async () => {
    const script = 'cd "$2" && rmdir "$2" && exec "$0" "$1" doctor';
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", script, process.execPath, bin, dirname(await file("gone/x"))],
      { encoding: "utf8" },
    );
    expect([status, stdout, stderr]).toEqual([
      2,
      "",
      "sheepdog: the current folder no longer exists; change to another folder and try again\n",
    ]);
  });

  test("is quiet if the reader closes the pipe", async () => {
    const path = await file("runs.jsonl", stuckRun("a").repeat(3_000));
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", '"$0" "$1" analyze --jsonl "$2" | head -n 1', process.execPath, bin, path],
      { encoding: "utf8" },
    );
    expect([status, stdout.split("\n").length, stderr]).toEqual([0, 2, ""]);
  });

  test.skipIf(!existsSync("/dev/full"))("reports a full device in one sentence", async () => {
    const path = await file("runs.jsonl", stuckRun("a"));
    const env = { ...process.env, SHEEPDOG_HOME: await file("home") };
    for (const args of ["demo --fast", `analyze "${path}"`, `analyze --json "${path}"`, "--help"]) {
      const { status, stderr } = spawnSync("sh", ["-c", `"$0" "$1" ${args} > /dev/full`, process.execPath, bin], {
        env,
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([
        1,
        "sheepdog: the output cannot be written (ENOSPC: no space left on device, write)\n",
      ]);
    }
  });

  test("exits with the code of --fail-on even if the reader closes the pipe", async () => {
    const path = await file("runs.jsonl", stuckRun("a").repeat(3_000));
    const script = '{ "$0" "$1" analyze --fail-on hint --jsonl "$2"; echo "ended with $?" >&2; } | head -n 1';
    const { stderr } = spawnSync("sh", ["-c", script, process.execPath, bin, path], { encoding: "utf8" });
    expect(stderr).toBe("ended with 5\n");
  });
});
