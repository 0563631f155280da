import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Check, ok, warn } from "../finding.ts";

const list = "@pydantic/genai-prices";

/** Which list of prices is used. It is part of the installation: nothing is fetched. */
export const pricesCheck: Check = {
  name: "prices",
  async run() {
    const version = listVersion();
    if (version === undefined)
      return [warn("Which list of prices is installed cannot be told.", "Install Sheepdog again.")];
    return [ok(`List prices of ${list} ${version}, with those of [budget.pricing_overrides] before them.`)];
  },
};

/** The list belongs to another of our packages, and does not show its own package.json. */
function listVersion(): string | undefined {
  const here = createRequire(import.meta.url);
  for (const find of [() => createRequire(here.resolve("@sheepdog/records")).resolve(list), () => here.resolve(list)]) {
    const file = packageFile(find);
    if (file !== undefined) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version; // every package.json has one
  }
  return undefined;
}

function packageFile(find: () => string): string | undefined {
  try {
    const file = join(dirname(find()), "..", "package.json");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined; // not to be found from there
  }
}
