// Installs packages that tests and benchmarks compare with or drive, each in its own folder below bench/peers:
// node bench/install.mjs ai-7 mastra. `install` is also used by run.mjs.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bench = fileURLToPath(new URL(".", import.meta.url));
const root = join(bench, "..");

/**
 * Installs a folder below bench/ unless a copy of its lockfile beside the packages says that it is installed. The peer
 * opencode has no lockfile, because that would name packages which not every registry has; its package.json takes its
 * place.
 */
export function install(folder) {
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

/** Runs npm to its exit. It prints to stderr, so that stdout has the output of the caller only. */
export function npm(args, cwd) {
  const env = { INIT_CWD: process.cwd(), ...process.env }; // where the command was typed; npm sets it too
  const shell = process.platform === "win32";
  return spawnSync("npm", args, { cwd, env, stdio: ["ignore", 2, 2], shell }).status ?? 1;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // One that fails does not keep the others from being installed.
  for (const peer of process.argv.slice(2)) {
    if (!existsSync(join(bench, "peers", peer, "package.json"))) fail(`there is no peer ${peer} in bench/peers`);
    else if (!install(join("peers", peer))) fail(`${peer} could not be installed`);
  }
}

function fail(sentence) {
  console.error(`bench: ${sentence}`);
  process.exitCode = 1;
}
