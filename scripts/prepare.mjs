// Builds the packages after an install, and says nothing unless that fails. An install without development tools (`npm ci --omit=dev`) has nothing to build with.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const tsdown = new URL("../node_modules/tsdown/package.json", import.meta.url);
if (existsSync(tsdown))
  process.exit(
    spawnSync("npx", ["--no-install", "tsdown", "--logLevel", "error"], {
      stdio: "inherit",
      shell: process.platform === "win32",
    }).status ?? 1,
  );
