// node bench/run.mjs <name> [flags]: builds the measured packages, installs the peers, runs bench/<name>/index.ts.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, npm } from "./install.mjs";

const bench = fileURLToPath(new URL(".", import.meta.url));
const root = join(bench, "..");
const [name, ...flags] = process.argv.slice(2);

if (name === undefined || !existsSync(join(bench, name, "index.ts"))) {
  const names = readdirSync(bench).filter((folder) => existsSync(join(bench, folder, "index.ts")));
  console.error(`bench: expected the name of a benchmark (${names.join(", ")}); got ${name ?? "none"}.`);
  process.exit(2);
}

/** The packages that a benchmark measures, and its peers. Only those are installed: a peer may be large. */
const needs = {
  guardian: { packages: ["guardian"], peers: ["gemini-cli"] },
  loop: { packages: ["guardian", "records", "agent"], peers: ["ai", "langchain", "openai-agents", "pi-agent-core"] },
  durable: { packages: ["guardian", "records", "agent"], peers: ["langgraph-sqlite"] },
  start: {
    packages: ["guardian", "records", "agent", "sheepdog"],
    peers: ["claude-code", "codex", "gemini-command", "opencode", "pi-coding-agent"],
  },
  gate: { packages: ["guardian", "records", "agent"], peers: [] },
  director: { packages: ["guardian", "records", "agent"], peers: [] },
  opentelemetry: { packages: ["guardian", "records", "agent"], peers: [] },
  serve: { packages: ["guardian", "records", "agent", "sheepdog"], peers: [] },
  guards: {
    packages: ["guardian", "records", "integrations"],
    peers: ["ai", "ai-7", "openai-agents", "mastra"],
  },
  channels: { packages: ["guardian", "records", "agent", "sheepdog"], peers: [] },
  "mcp-proxy": { packages: ["guardian", "records", "agent", "integrations", "sheepdog"], peers: [] },
  hook: { packages: ["guardian", "records", "integrations", "agent", "sheepdog"], peers: [] },
  "look-back": { packages: ["guardian", "records", "agent", "sheepdog"], peers: [] },
  detection: { packages: ["guardian", "records"], peers: ["gemini-cli", "openclaw"] },
  "detection/rebuild": { packages: [], peers: [] },
}[name] ?? { packages: ["guardian"], peers: [] };

for (const workspace of needs.packages) build(workspace);
if (!install("")) fail("The packages of bench/ could not be installed.");
for (const peer of needs.peers) {
  if (!install(join("peers", peer))) console.error(`bench: ${peer} could not be installed; its rows will say so.`);
}
// --expose-gc: the garbage of one contestant is collected before the next is timed.
process.exit(run(process.execPath, ["--expose-gc", "--import", "tsx", join(name, "index.ts"), ...flags], bench));

/** Builds a package if its dist is missing or older than its sources. */
function build(workspace) {
  const folder = join(root, "packages", workspace);
  const entry = join(folder, "dist", workspace === "sheepdog" ? "cli.js" : "index.js");
  if (existsSync(entry) && statSync(entry).mtimeMs >= newestMs(join(folder, "src"))) return;
  console.error(`bench: building packages/${workspace}`);
  if (npm(["run", "--silent", "build", "--", "--filter", `packages/${workspace}`], root) !== 0)
    fail(`packages/${workspace} does not build.`);
}

function newestMs(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs));
}

/** Runs a program to its exit. */
function run(program, args, cwd) {
  const env = { INIT_CWD: process.cwd(), ...process.env }; // where the command was typed; npm sets it too
  return spawnSync(program, args, { cwd, env, stdio: "inherit" }).status ?? 1;
}

function fail(sentence) {
  console.error(`bench: ${sentence}`);
  process.exit(1);
}
