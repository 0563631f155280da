// Writes the generated parts of the docs from the code. `--check` only compares. The packages must be built first.

import { readFileSync } from "node:fs";
import { commandsHelp, exitCodesTable } from "./docs/commands.mjs";
import { keysTables, renewSchema } from "./docs/configuration.mjs";
import { detectorsTable, limitsTable, presetsTable } from "./docs/defaults.mjs";
import { detectionParts } from "./docs/detection.mjs";
import { routesTable } from "./docs/http-api.mjs";
import { pageProblems, pages } from "./docs/pages.mjs";
import { isChecking, renew, renewPart } from "./docs/part.mjs";
import { detectorSource } from "./docs/sentences.mjs";

const problems = pageProblems();
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

const overview = { detectors: detectorsTable(), limits: limitsTable(), presets: presetsTable() };
const files = [
  { file: "docs/commands.md", parts: { commands: commandsHelp(), reasons: exitCodesTable() } },
  { file: "docs/configuration.md", parts: { keys: keysTables() } },
  { file: "docs/http-api.md", parts: { routes: routesTable() } },
  { file: "docs/detection.md", parts: detectionParts },
  { file: "docs/guardian/README.md", parts: overview },
  ...pages(),
];

const stale = [
  renewSchema(),
  ...files.flatMap(({ file, parts }) => Object.entries(parts).map(([part, text]) => renewPart(file, part, text))),
  renew(
    "CONTRIBUTING.md",
    ["<!-- from packages/guardian/src/detect/detectors/denial.ts -->", "<!-- end -->"],
    `\n\`\`\`ts\n${detectorSource("denial").trim()}\n\`\`\`\n`,
  ),
  renew(
    "docs/mcp.md",
    ["<!-- from examples/10-tools-of-an-mcp-server.ts -->", "<!-- end -->"],
    `\n\`\`\`ts\n${exampleProgram("10-tools-of-an-mcp-server")}\n\`\`\`\n`,
  ),
].filter((file) => file !== undefined);

/** An example without the sentence above it. */
function exampleProgram(name) {
  const source = readFileSync(new URL(`../examples/${name}.ts`, import.meta.url), "utf8");
  return source.replace(/^\/\*\*.*\*\/\n/, "").trim();
}

if (stale.length > 0 && isChecking) {
  console.error(`Not what the code says: ${[...new Set(stale)].join(", ")}. Run: npm run docs`);
  process.exitCode = 1;
}
