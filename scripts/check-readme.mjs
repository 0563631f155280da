// Follows the README as a reader who embeds the packages does: runs its own commands in an empty folder, with npm and
// with pnpm, type-checks its own samples there in strict mode, and runs the agent against a local server.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startWireServer } from "../packages/agent/dist/testing/index.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const PNPM = "npx --yes pnpm@10.34.8";
/** The folder of the reader's own project, as the README names it. */
const PROJECT = "~/my/agent";

const samples = [
  {
    heading: "## Add the guardian to your own loop",
    // What the sample expects of the reader's loop.
    prelude: `declare const id: string, tool: string, args: Record<string, unknown>;
declare function execute(tool: string, args: Record<string, unknown>): Promise<string>;
declare function tellModel(message: string): void;
declare function endRun(reason: string): void;
`,
  },
  { heading: "## Or run your agent on Sheepdog", prelude: "", says: "answered" },
];

const run = promisify(execFile);
const server = await startWireServer([], { afterLast: { text: "Done." } });
try {
  for (const sample of samples) for (const manager of ["npm", "pnpm"]) await follow(sample, manager);
} finally {
  await server.close();
}

async function follow({ heading, prelude, says }, manager) {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-readme-"));
  const section = readme.slice(readme.indexOf(heading)).split(/\n## /, 2).join("");
  try {
    await shell(commandsOf(section, manager).replaceAll(PROJECT, folder), root);
    writeFileSync(join(folder, "agent.mts"), prelude + block(section, "ts"));
    await shell(`${compilerOf(section)} --skipLibCheck false`, folder);
    const printed = says === undefined ? "" : await shell("node agent.mjs", folder);
    if (says !== undefined && !printed.trimEnd().endsWith(says)) throw new Error(`It printed: ${printed}`);
    console.log(`ok     ${manager}: ${heading.slice(3)}`);
  } catch (error) {
    console.log(`FAILED ${manager}: ${heading.slice(3)}\n${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The commands of the section. With pnpm, those that install are its own. */
function commandsOf(section, manager) {
  const commands = block(section, "sh");
  return manager === "npm" ? commands : commands.replaceAll("npm install", `${PNPM} add`);
}

function compilerOf(section) {
  const command = /`(npx tsc [^`]*)`/.exec(section)?.[1];
  if (command === undefined) throw new Error("The README does not say how to compile the sample of this section.");
  return command;
}

function block(section, language) {
  const found = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section)?.[1];
  if (found === undefined) throw new Error(`The README has no block of ${language} in this section.`);
  return found;
}

async function shell(commands, cwd) {
  const env = { ...process.env, ANTHROPIC_API_KEY: "a-key", ANTHROPIC_BASE_URL: server.url };
  return (await run("bash", ["-euc", commands], { cwd, env })).stdout;
}
