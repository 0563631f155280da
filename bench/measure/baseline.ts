import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The name of this checkout's build in tables. */
export const oursName = "sheepdog";

/** The name of the other build in tables. */
export const baselineName = "sheepdog before";

/** The root folder of this checkout. */
export const ownRoot: string = fileURLToPath(new URL("../../", import.meta.url));

/** The root folder of another checkout that is built, from `BENCH_BASELINE`; undefined when that is not set. */
export const baselineRoot: string | undefined = readBaselineRoot();

/** Imports the built entry of a package from a checkout. `Exports` is what the caller uses of it in every build. */
export async function importBuilt<Exports>(
  root: string,
  builtPackage: "guardian" | "records" | "agent",
): Promise<Exports> {
  const file = join(root, "packages", builtPackage, "dist", "index.js");
  return (await import(pathToFileURL(file).href)) as Exports; // the caller names what both builds export
}

function readBaselineRoot(): string | undefined {
  const folder = process.env["BENCH_BASELINE"];
  if (folder === undefined || folder === "") return undefined;
  const root = resolve(ownRoot, folder);
  if (!existsSync(join(root, "packages/sheepdog/dist/cli.js")))
    throw new Error(
      `Expected BENCH_BASELINE to name a checkout that is built; ${folder} has no packages/sheepdog/dist.`,
    );
  return root;
}
