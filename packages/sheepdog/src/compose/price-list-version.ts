import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The package with the list prices of models. */
export const priceListName = "@pydantic/genai-prices";

/** The version of the price list, a dependency of `@sheepdog/records` that does not export its package.json. */
export function priceListVersion(): string | undefined {
  const here = createRequire(import.meta.url);
  for (const resolve of [
    () => createRequire(here.resolve("@sheepdog/records")).resolve(priceListName),
    () => here.resolve(priceListName),
  ]) {
    const file = packageFile(resolve);
    if (file === undefined) continue;
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string }; // a package.json has a version
    return version;
  }
  return undefined;
}

function packageFile(resolve: () => string): string | undefined {
  try {
    const file = join(dirname(resolve()), "..", "package.json");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined; // not resolvable from there
  }
}
