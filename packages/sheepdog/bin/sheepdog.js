#!/usr/bin/env node
// Prints --help and --version without loading any other module, and answers hooks with one small file. This file is
// CommonJS because Node starts scripts faster than ES modules.
"use strict";
const { existsSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const dist = join(__dirname, "..", "dist");
const args = process.argv.slice(2).join(" ");

if (args === "--version" || args === "-v") print(`${require("../package.json").version}\n`);
else if (["", "--help", "-h", "help"].includes(args) && isUsualWidth() && existsSync(join(dist, "help.txt"))) {
  const help = readFileSync(join(dist, "help.txt"), "utf8");
  print(hasColour() ? help.replace(/^\S[^\n:]*:/gm, "\u001b[1m$&\u001b[22m") : help);
} else if (/^hook [a-z-]+(?: --observe)?$/.test(args) && existsSync(join(dist, "hook.cjs"))) {
  loadHook(join(dist, "hook.cjs")).runHook(process.argv.slice(3), require("../package.json").version, (text) => {
    import("../dist/cli.js").then(({ start }) => start(asStream(text)));
  });
} else if (existsSync(join(dist, "cli.js"))) import("../dist/cli.js").then(({ start }) => start());
else {
  console.error("Sheepdog is not built yet. Run: npm run build");
  process.exitCode = 1;
}

/**
 * Loads dist/hook.cjs with the code that V8 compiled for an earlier hook: compiling takes longer than all else that a
 * hook does. The compiled code is stored in Sheepdog's home, under a name for this build and this version of Node.
 */
function loadHook(file) {
  const { Script } = require("node:vm");
  const { mtimeMs, size } = statSync(file);
  const folder = join(process.env.SHEEPDOG_HOME?.trim() || join(process.env.HOME ?? "", ".sheepdog"), "cache");
  const cacheFile = join(folder, `hook-${Math.round(mtimeMs)}-${size}-${process.version}.bin`);
  const cachedData = readIfThere(cacheFile);
  const source = `(function (exports, require) {${readFileSync(file, "utf8")}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const exports = {};
  script.runInThisContext()(exports, require);
  if (cachedData === undefined || script.cachedDataRejected)
    process.on("exit", () => storeCompiled(cacheFile, script.createCachedData()));
  return exports;
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Stores compiled code, in a home that exists. Without it hooks are slower, and that is all. */
function storeCompiled(file, code) {
  try {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, code, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // as above
  }
}

/** What was read of stdin, for a command that reads it. */
async function* asStream(text) {
  yield Buffer.from(text);
}

/** The build lays the help out for 80 columns, which is also its maximum width. */
function isUsualWidth() {
  const columns = process.stdout.columns ?? Number(process.env.COLUMNS);
  return !(Number.isInteger(columns) && columns > 0 && columns < 80);
}

/** The same rule as `styleFor` in src/render/terminal/style.ts. */
function hasColour() {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isForced = FORCE_COLOR !== undefined && !["", "0", "false"].includes(FORCE_COLOR);
  return !NO_COLOR && (isForced || (process.stdout.isTTY === true && TERM !== "dumb"));
}

/** Writes to stdout. A closed pipe, as with `| head`, is not an error. */
function print(text) {
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE") return;
    console.error(`sheepdog: the output cannot be written (${error.message})`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}
