// The first story of the demo, as lines with colours.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutDurations } from "./without-durations.mjs";

const command = fileURLToPath(new URL("../../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const esc = String.fromCharCode(27);

/** Runs the demo and returns the lines up to the first empty one. */
export function demoLines(columns) {
  const lines = playDemo(columns).split("\n");
  return [`${esc}[2m$${esc}[22m sheepdog demo`, ...lines.slice(0, lines.indexOf("")).map(withoutDurations)];
}

/** Runs the demo with a temporary home and returns its output. */
function playDemo(columns) {
  const home = mkdtempSync(join(tmpdir(), "sheepdog-picture-"));
  try {
    const { PATH, TMPDIR = tmpdir() } = process.env;
    const terminalEnv = { FORCE_COLOR: "1", COLUMNS: String(columns), TERM: "xterm-256color", LC_ALL: "C.UTF-8" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, "demo", "--fast"], {
      encoding: "utf8",
      env: { PATH, TMPDIR, SHEEPDOG_HOME: home, ...terminalEnv },
    });
    if (status !== 0) throw new Error(`The demo ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    rmSync(home, { recursive: true });
  }
}
