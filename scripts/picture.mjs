// Creates docs/demo.svg, the first picture of the README. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { demoLines } from "./picture/demo.mjs";
import { backgrounds, palettes } from "./picture/palette.mjs";
import { terminalSvg } from "./terminal-svg.mjs";

const COLUMNS = 98;
const file = "docs/demo.svg";
const title =
  "sheepdog demo: an agent repeats a failing test; the guardian hints, warns and refuses; " +
  "then the agent reads the code and fixes it";

renew(terminalPicture(demoLines(COLUMNS)));

function terminalPicture(lines) {
  const paint = (colour) => `fill="${palettes.dark[colour]}"`;
  const background = `fill="${backgrounds.dark}"`;
  return terminalSvg({ lines, columns: COLUMNS, title, paint, background });
}

function renew(svg) {
  const url = new URL(`../${file}`, import.meta.url);
  if (!process.argv.includes("--check")) return writeFileSync(url, svg);
  if (existsSync(url) && readFileSync(url, "utf8") === svg) return;
  console.error(`${file} does not match the program. Update it with: npm run picture`);
  process.exitCode = 1;
}
