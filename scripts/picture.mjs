// Creates docs/demo.svg, the picture of the README: runs the demo with colours at 98 columns and converts its first
// story to SVG. `--check` only compares.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { terminalSvg } from "./terminal-svg.mjs";

const file = fileURLToPath(new URL("../docs/demo.svg", import.meta.url));
const command = fileURLToPath(new URL("../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const colours = {
  red: "#ff7b72",
  green: "#7ee787",
  yellow: "#f2cc60",
  cyan: "#79c0ff",
  plain: "#e6edf3",
  dim: "#8b949e",
};
const COLUMNS = 98;
const esc = String.fromCharCode(27);

const svg = terminalSvg({
  lines: [`${esc}[2m$${esc}[22m sheepdog demo`, ...firstStory(playDemo())],
  columns: COLUMNS,
  title:
    "sheepdog demo: an agent repeats a failing test; the guardian hints, warns and refuses; " +
    "then the agent reads the code and fixes it",
  paint: (colour) => `fill="${colours[colour]}"`,
  background: 'fill="#0d1117"',
});

if (!process.argv.includes("--check")) writeFileSync(file, svg);
else if (!existsSync(file) || readFileSync(file, "utf8") !== svg) {
  console.error("docs/demo.svg does not match the demo. Update it with: npm run picture");
  process.exitCode = 1;
}

/** Runs the demo with a temporary home and returns its output. */
function playDemo() {
  const home = mkdtempSync(join(tmpdir(), "sheepdog-picture-"));
  try {
    const { PATH, TMPDIR = tmpdir() } = process.env;
    const terminalEnv = { FORCE_COLOR: "1", COLUMNS: String(COLUMNS), TERM: "xterm-256color", LC_ALL: "C.UTF-8" };
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

/** The lines up to the first empty one, without the durations of calls, which differ each time. */
function firstStory(output) {
  const allLines = output.split("\n");
  const durations = new RegExp(`([✓✗]) (?:\\d+ [hm] )*[\\d.]+ [sm](?=${esc})`);
  return allLines.slice(0, allLines.indexOf("")).map((line) => line.replace(durations, "$1"));
}
