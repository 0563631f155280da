import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/package-root.ts";
import { isBuilt } from "./is-built.ts";
import { scratchFolder } from "./scratch-folder.ts";

const file = scratchFolder();
const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));

const run = (args: readonly string[], env: Record<string, string> = {}, path = bin) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    encoding: "utf8",
  });
  return [status, stdout, stderr];
};

describe.skipIf(!isBuilt)("the help that the build lays out", () => {
  /** The same command without the prepared help. */
  async function withoutLightPath(): Promise<string> {
    const copy = dirname(await file("copy/package.json"));
    for (const part of ["bin", "dist", "package.json"])
      cpSync(new URL(part, packageRoot), `${copy}/${part}`, {
        recursive: true,
        filter: (path) => !path.endsWith("help.txt"),
      });
    return `${copy}/bin/sheepdog.js`;
  }

  /** Newer versions of Node warn if both variables are set. */
  const both = process.version.startsWith("v20.") ? [{ FORCE_COLOR: "1", NO_COLOR: "1" }] : [];

  test.each([{}, { FORCE_COLOR: "1" }, ...both, { COLUMNS: "200" }, { COLUMNS: "50" }, { COLUMNS: "wide" }])(
    "is what the command itself says with %j",
    async (env) => {
      const full = await withoutLightPath();
      const said = run(["--help"], env, full);
      expect(said).toEqual([0, expect.stringContaining("Set-up:"), ""]);
      for (const argv of [["--help"], ["-h"], ["help"], []]) expect(run(argv, env)).toEqual(said);
    },
  );

  test.skipIf(!existsSync("/dev/full"))("reports a full device in one sentence, like the version", () => {
    for (const flag of ["--help", "--version"]) {
      const { status, stderr } = spawnSync("sh", ["-c", `"$0" "$1" ${flag} > /dev/full`, process.execPath, bin], {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([
        1,
        "sheepdog: the output cannot be written (ENOSPC: no space left on device, write)\n",
      ]);
    }
  });

  test("is quiet if the reader closes the pipe", () => {
    for (const flag of ["--help", "--version"]) {
      const { stderr } = spawnSync(
        "sh",
        ["-c", `{ "$0" "$1" ${flag}; echo "ended with $?" >&2; } | true`, process.execPath, bin],
        { encoding: "utf8" },
      );
      expect(stderr).toBe("ended with 0\n");
    }
  });
});
