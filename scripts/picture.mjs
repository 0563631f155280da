// Creates docs/demo.svg, the picture of the README: runs the demo with colours at 98 columns and converts its first
// story to SVG. `--check` only compares.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../docs/demo.svg", import.meta.url));
const command = fileURLToPath(new URL("../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const colours = { 31: "#ff7b72", 32: "#7ee787", 33: "#f2cc60", 36: "#79c0ff", plain: "#e6edf3", dim: "#8b949e" };
const COLUMNS = 98;
const CHAR_WIDTH = 8.4;
const LINE_HEIGHT = 20;
const TOP = 62;
const esc = String.fromCharCode(27);
/** A colour sequence of a terminal. */
const colourSequence = new RegExp(`(${esc}\\[[\\d;]*m)`);

const lines = [`${esc}[2m$${esc}[22m sheepdog demo`, ...firstStory(playDemo())];
const [width, height] = [Math.round(COLUMNS * CHAR_WIDTH) + 40, TOP + lines.length * LINE_HEIGHT];
const title =
  "sheepdog demo: an agent repeats a failing test; the guardian hints, warns and refuses; " +
  "then the agent reads the code and fixes it";
const attributes = [
  'xmlns="http://www.w3.org/2000/svg"',
  `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
  'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14"',
].join(" ");
const svg = [
  `<svg ${attributes}>`,
  `<title>${title}</title>`,
  `<rect width="100%" height="100%" rx="10" fill="#0d1117"/>`,
  ...["#ff5f57", "#febc2e", "#28c840"].map((fill, i) => `<circle cx="${24 + i * 20}" cy="22" r="6" fill="${fill}"/>`),
  ...lines.map((line, i) => `<text x="20" y="${TOP + i * LINE_HEIGHT}" xml:space="preserve">${spans(line)}</text>`),
  "</svg>",
  "",
].join("\n");

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

/** Converts a line with colour sequences to SVG. */
function spans(line) {
  let style = { fill: colours.plain, weight: "" };
  return line
    .split(colourSequence)
    .map((part) => {
      const code = part.match(colourSequence);
      if (code === null)
        return part === "" ? "" : `<tspan fill="${style.fill}"${style.weight}>${escaped(part)}</tspan>`;
      for (const each of part.slice(2, -1).split(";")) style = styled(style, Number(each || 0));
      return "";
    })
    .join("");
}

function styled(style, code) {
  if (code === 0) return { fill: colours.plain, weight: "" };
  if (code === 1) return { ...style, weight: ' font-weight="bold"' };
  if (code === 2) return { ...style, fill: colours.dim };
  if (code === 22) return { fill: style.fill === colours.dim ? colours.plain : style.fill, weight: "" };
  if (code === 39) return { ...style, fill: colours.plain };
  return { ...style, fill: colours[code] ?? style.fill };
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
