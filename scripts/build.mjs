// Builds the packages, silently unless that fails. Also runs after every install; without development dependencies
// (`npm ci --omit=dev`) there is no build tool, and the script does nothing.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// tsdown's API, not its command line, which warns about Node 20 although it supports it.
if (existsSync(new URL("../node_modules/tsdown/package.json", import.meta.url))) {
  const { build } = await import("tsdown");
  const { build: buildPages } = await import("vite");
  const { writeLicences } = await import("./write-licences.mjs");
  await build({ logLevel: "error" });
  await buildPages({ configFile: fileURLToPath(new URL("../packages/web/vite.config.ts", import.meta.url)) });
  for (const name of ["agent", "sheepdog"]) writeLicences(`packages/${name}`);
}
