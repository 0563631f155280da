#!/usr/bin/env node
// Prints --help and --version without loading any other module. This file is CommonJS because Node starts scripts
// faster than ES modules.
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const dist = join(__dirname, "..", "dist");
const args = process.argv.slice(2).join(" ");

if (args === "--version" || args === "-v") print(`${require("../package.json").version}\n`);
else if (["", "--help", "-h", "help"].includes(args) && isUsualWidth() && existsSync(join(dist, "help.txt"))) {
  const help = readFileSync(join(dist, "help.txt"), "utf8");
  print(hasColour() ? help.replace(/^\S[^\n:]*:/gm, "\u001b[1m$&\u001b[22m") : help);
} else if (/^hook [a-z-]+(?: --observe)?$/.test(args) && existsSync(join(dist, "hook.cjs")))
  require("./hook.js").runHook(process.argv.slice(3), join(dist, "hook.cjs"));
else if (existsSync(join(dist, "cli.js"))) import("../dist/cli.js").then(({ start }) => start());
else {
  console.error("Sheepdog is not built yet. Run: npm run build");
  process.exitCode = 1;
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
