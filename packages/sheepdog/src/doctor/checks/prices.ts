import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Check, ok, warn } from "../finding.ts";

const list = "@pydantic/genai-prices";

/** Finds the version of the price list, which is part of the installation. */
export const pricesCheck: Check = {
  name: "prices",
  async run() {
    const version = listVersion();
    if (version === undefined) return [warn("The version of the price list is unknown.", "Install Sheepdog again.")];
    return [ok(`Prices come from [budget.pricing_overrides], then from ${list} ${version}.`)];
  },
};

/** The price list is a dependency of `@sheepdog/records` and does not export its package.json. */
function listVersion(): string | undefined {
  const here = createRequire(import.meta.url);
  for (const resolve of [
    () => createRequire(here.resolve("@sheepdog/records")).resolve(list),
    () => here.resolve(list),
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
