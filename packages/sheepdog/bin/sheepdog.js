#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";

const [first] = process.argv.slice(2);
const cli = new URL("../dist/cli.js", import.meta.url);

if (first === "--version" || first === "-v") {
  console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
} else if (existsSync(cli)) {
  const { start } = await import(cli.href);
  await start();
} else {
  console.error("Sheepdog is not built yet. Run: npm run build");
  process.exitCode = 1;
}
