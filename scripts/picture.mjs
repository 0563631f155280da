// Creates docs/demo.svg, the first picture of the README. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { demoLines } from "./picture/demo.mjs";
import { terminalSvg } from "./terminal-svg.mjs";

const COLUMNS = 98;
const colours = {
  red: "#ff7b72",
  green: "#7ee787",
  yellow: "#f2cc60",
  cyan: "#79c0ff",
  plain: "#e6edf3",
  dim: "#8b949e",
};
const file = "docs/demo.svg";
const title =
  "sheepdog demo: an agent repeats a failing test; the guardian hints, warns and refuses; " +
  "then the agent reads the code and fixes it";

renew(terminalPicture(demoLines(COLUMNS)));

function terminalPicture(lines) {
  const paint = (colour) => `fill="${colours[colour]}"`;
  return terminalSvg({ lines, columns: COLUMNS, title, paint, background: 'fill="#0d1117"' });
}

function renew(svg) {
  const url = new URL(`../${file}`, import.meta.url);
  if (!process.argv.includes("--check")) return writeFileSync(url, svg);
  if (existsSync(url) && readFileSync(url, "utf8") === svg) return;
  console.error(`${file} does not match the program. Update it with: npm run picture`);
  process.exitCode = 1;
}
