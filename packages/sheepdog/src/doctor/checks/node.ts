import { readFileSync } from "node:fs";
import { packageRoot } from "../../package-root.ts";
import { type Check, fail, ok } from "../finding.ts";

/** Checks the version of Node. */
export const nodeCheck: Check = {
  name: "node",
  async run() {
    const { version, engines } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
      version: string;
      engines: { node: string };
    }; // our own package.json
    const versions = `Sheepdog ${version} on Node ${process.versions.node} (${process.platform} ${process.arch})`;
    return [nodeFinding(versions, process.versions.node, engines.node.replace(/^>=/, ""))];
  },
};

/** Compares a version with the oldest supported one. */
export function nodeFinding(versions: string, version: string, oldest: string): ReturnType<typeof ok> {
  const isSupported = version.localeCompare(oldest, "en", { numeric: true }) >= 0;
  return isSupported
    ? ok(`${versions}.`)
    : fail(`${versions}: Sheepdog needs Node ${oldest} or later.`, "Install a newer Node: https://nodejs.org");
}
