// Builds the packages after an install. An install without development tools (`npm ci --omit=dev`) has nothing to build with.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const tsdown = new URL("../node_modules/tsdown/package.json", import.meta.url);
if (existsSync(tsdown)) process.exit(spawnSync("npm", ["run", "--silent", "build"], { stdio: "inherit", shell: process.platform === "win32" }).status ?? 1);
