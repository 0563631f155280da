#!/usr/bin/env node
// What is asked for most, and before anything else, is answered without loading more than this file: a script, since Node starts those sooner than modules.
"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const dist = join(__dirname, "..", "dist");
const words = process.argv.slice(2).join(" ");

if (words === "--version" || words === "-v") print(`${require("../package.json").version}\n`);
else if (["", "--help", "-h", "help"].includes(words) && isUsualWidth() && existsSync(join(dist, "help.txt"))) {
  const help = readFileSync(join(dist, "help.txt"), "utf8");
  print(hasColour() ? help.replace(/^\S[^\n:]*:/gm, "\u001b[1m$&\u001b[22m") : help);
} else if (existsSync(join(dist, "cli.js"))) import("../dist/cli.js").then(({ start }) => start());
else {
  console.error("Sheepdog is not built yet. Run: npm run build");
  process.exitCode = 1;
}

/** The help was laid out for so many columns when it was built, and is not laid out wider. */
function isUsualWidth() {
  const columns = process.stdout.columns ?? Number(process.env.COLUMNS);
  return !(Number.isInteger(columns) && columns > 0 && columns < 80);
}

/** As `styleFor` in src/terminal/style.ts has it. */
function hasColour() {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isAsked = FORCE_COLOR !== undefined && !["", "0", "false"].includes(FORCE_COLOR);
  return !NO_COLOR && (isAsked || (process.stdout.isTTY === true && TERM !== "dumb"));
}

/** As the other commands do it: a reader that went away has read enough. */
function print(text) {
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE") return;
    console.error(`sheepdog: the output cannot be written (${error.message})`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}
