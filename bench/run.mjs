// node bench/run.mjs <name> [flags]: builds the measured packages, installs the peers, runs bench/<name>/index.ts.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
  channels: { packages: ["guardian", "records", "agent", "sheepdog"], peers: [] },
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

/**
 * Installs a folder unless a copy of its lockfile beside the packages says that it is installed. The peer opencode has
 * no lockfile, because that would name packages which not every registry has; its package.json takes its place.
 */
function install(folder) {
  const hasLock = existsSync(join(bench, folder, "package-lock.json"));
  const lockfile = join(bench, folder, hasLock ? "package-lock.json" : "package.json");
  const installed = join(bench, folder, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lockfile, "utf8")) return true;
  const command = hasLock ? ["ci"] : ["install", "--no-package-lock"];
  const prefix = join("bench", folder);
  console.error(`bench: npm ${command.join(" ")} --prefix ${prefix}`);
  if (npm([...command, "--loglevel", "error", "--prefix", prefix], root) !== 0) return false;
  copyFileSync(lockfile, installed);
  return true;
}

function npm(args, cwd) {
  return run("npm", args, cwd);
}

/** Runs a program to its exit. npm prints to stderr, so that stdout has the output of the benchmark only. */
function run(program, args, cwd) {
  const stdio = program === "npm" ? ["ignore", 2, 2] : "inherit";
  const shell = program === "npm" && process.platform === "win32";
  const env = { INIT_CWD: process.cwd(), ...process.env }; // where the command was typed; npm sets it too
  return spawnSync(program, args, { cwd, env, stdio, shell }).status ?? 1;
}

function fail(sentence) {
  console.error(`bench: ${sentence}`);
  process.exit(1);
}
