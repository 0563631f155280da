// Draws the demo as the picture of the README: runs it with colours at 80 columns and turns its first part into SVG. `--check` only compares.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../docs/demo.svg", import.meta.url));
const command = fileURLToPath(new URL("../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const colours = { 31: "#ff7b72", 32: "#7ee787", 33: "#f2cc60", 36: "#79c0ff", plain: "#e6edf3", dim: "#8b949e" };
const LINES = 21;
const CHAR = 8.4;
const LINE = 20;
/** A colour of a terminal: the escape character, and the codes behind it. */
const colourCode = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`);

const { stdout } = spawnSync(process.execPath, [command, "demo", "--fast"], {
  encoding: "utf8",
  env: { ...process.env, FORCE_COLOR: "1", NO_COLOR: "", COLUMNS: "80", TERM: "xterm-256color" },
});
const lines = stdout.split("\n").slice(0, LINES);
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" width="${80 * CHAR + 40}" height="${lines.length * LINE + 50}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
  `<title>sheepdog demo: the guardian tells an agent that it repeats a failing test, and the agent recovers</title>`,
  `<rect width="100%" height="100%" rx="10" fill="#0d1117"/>`,
  ...lines.map((line, i) => `<text x="20" y="${38 + i * LINE}" xml:space="preserve">${spans(line)}</text>`),
  "</svg>",
  "",
].join("\n");

if (!process.argv.includes("--check")) writeFileSync(file, svg);
else if (!existsSync(file) || readFileSync(file, "utf8") !== svg) {
  console.error("docs/demo.svg is not what the demo shows: npm run picture");
  process.exitCode = 1;
}

/** A line with its colours as SVG. */
function spans(line) {
  let style = { fill: colours.plain, weight: "" };
  return line
    .split(colourCode)
    .map((part) => {
      const code = part.match(colourCode);
      if (code === null) return part === "" ? "" : `<tspan fill="${style.fill}"${style.weight}>${escaped(part)}</tspan>`;
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
