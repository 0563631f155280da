// Creates the pictures of the README. `--check` only compares. A picture that cannot be made is named and skipped.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { approvalLines } from "./picture/approval.mjs";
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
const pictures = [
  {
    file: "docs/demo.svg",
    title:
      "sheepdog demo: an agent repeats a failing test; the guardian hints, warns and refuses; " +
      "then the agent reads the code and fixes it",
    lines: () => demoLines(COLUMNS),
  },
  {
    file: "docs/approval.svg",
    title: "sheepdog chat: the guardian hints at a failing test; the agent edits the code, and the user sees the diff",
    lines: () => approvalLines(COLUMNS),
  },
];

for (const { file, title, lines } of pictures) {
  const drawn = await lines();
  if (typeof drawn === "string") console.log(`skipped ${file}: ${drawn}`);
  else renew(file, terminalPicture(drawn, title));
}

function terminalPicture(lines, title) {
  const paint = (colour) => `fill="${colours[colour]}"`;
  return terminalSvg({ lines, columns: COLUMNS, title, paint, background: 'fill="#0d1117"' });
}

function renew(file, svg) {
  const url = new URL(`../${file}`, import.meta.url);
  if (!process.argv.includes("--check")) return writeFileSync(url, svg);
  if (existsSync(url) && readFileSync(url, "utf8") === svg) return;
  console.error(`${file} does not match the program. Update it with: npm run picture`);
  process.exitCode = 1;
}
