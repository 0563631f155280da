// node bench/run.mjs <name> [flags]: builds what is measured, installs what it is measured against, runs bench/<name>/index.ts.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bench = fileURLToPath(new URL(".", import.meta.url));
const root = join(bench, "..");
const [name, ...flags] = process.argv.slice(2);

if (name === undefined || !existsSync(join(bench, name, "index.ts"))) {
  const names = readdirSync(bench).filter((each) => existsSync(join(bench, each, "index.ts")));
  console.error(`Which benchmark? Expected one of ${names.join(", ")}; got ${name ?? "nothing"}.`);
  process.exit(2);
}

/** The packages a benchmark measures and the peers it measures them against; a peer may be large, so nobody installs one for nothing. */
const needs = {
  guardian: { packages: ["guardian"], peers: ["gemini-cli"] },
  loop: { packages: ["guardian", "records", "agent"], peers: ["ai", "langchain", "openai-agents", "pi-agent-core"] },
  durable: { packages: ["guardian", "records", "agent"], peers: ["langgraph-sqlite"] },
  start: {
    packages: ["guardian", "records", "agent", "sheepdog"],
    peers: ["claude-code", "codex", "gemini-command", "opencode", "pi-coding-agent"],
  },
  detection: { packages: ["guardian", "records"], peers: ["gemini-cli", "openclaw"] },
}[name] ?? { packages: ["guardian"], peers: [] };

for (const workspace of needs.packages) build(workspace);
if (!install("")) fail("The benchmark's own tools could not be installed.");
for (const peer of needs.peers) {
  if (!install(join("peers", peer))) console.error(`bench: ${peer} could not be installed; its rows will say so.`);
}
// --expose-gc: the garbage of one contestant is swept before the next is timed.
process.exit(run(process.execPath, ["--expose-gc", "--import", "tsx", join(name, "index.ts"), ...flags], bench));

/** Builds a package if its dist is missing or older than its sources. */
function build(workspace) {
  const folder = join(root, "packages", workspace);
  const built = join(folder, "dist", workspace === "sheepdog" ? "cli.js" : "index.js");
  if (existsSync(built) && statSync(built).mtimeMs >= newest(join(folder, "src"))) return;
  console.error(`bench: building packages/${workspace}`);
  if (npm(["run", "--silent", "build", "--", "--filter", `packages/${workspace}`], root) !== 0)
    fail(`packages/${workspace} does not build.`);
}

function newest(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs));
}

/**
 * Installs a folder's lockfile unless that very lockfile is installed already. A copy kept beside the packages tells. A peer whose lockfile would name packages
 * that cannot be had everywhere has none: its package.json takes its place.
 */
function install(folder) {
  const hasLock = existsSync(join(bench, folder, "package-lock.json"));
  const wanted = join(bench, folder, hasLock ? "package-lock.json" : "package.json");
  const installed = join(bench, folder, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(wanted, "utf8")) return true;
  const how = hasLock ? ["ci"] : ["install", "--no-package-lock"];
  const prefix = join("bench", folder);
  console.error(`bench: npm ${how.join(" ")} --prefix ${prefix}`);
  if (npm([...how, "--loglevel", "error", "--prefix", prefix], root) !== 0) return false;
  copyFileSync(wanted, installed);
  return true;
}

function npm(args, cwd) {
  return run("npm", args, cwd);
}

/** Runs a program to its end; its output goes where ours goes, but stdout stays the benchmark's. */
function run(program, args, cwd) {
  const stdio = program === "npm" ? ["ignore", 2, 2] : "inherit";
  return spawnSync(program, args, { cwd, stdio, shell: program === "npm" && process.platform === "win32" }).status ?? 1;
}

function fail(sentence) {
  console.error(`bench: ${sentence}`);
  process.exit(1);
}
