import { readFileSync } from "node:fs";
import { packageRoot } from "../../../package-root.ts";
import { type Check, fail, ok } from "../finding.ts";

/** Whether this Node is one that Sheepdog is made for. */
export const nodeCheck: Check = {
  name: "node",
  async run() {
    const { version, engines } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as {
      version: string;
      engines: { node: string };
    }; // our own package.json
    const said = `Sheepdog ${version} on Node ${process.versions.node} (${process.platform} ${process.arch})`;
    return [nodeFinding(said, process.versions.node, engines.node.replace(/^>=/, ""))];
  },
};

/** Holds a version against the oldest one that will do. */
export function nodeFinding(said: string, version: string, oldest: string): ReturnType<typeof ok> {
  const isOldEnough = version.localeCompare(oldest, "en", { numeric: true }) >= 0;
  return isOldEnough
    ? ok(`${said}.`)
    : fail(`${said}: it needs Node ${oldest} or later.`, "Install a newer Node: https://nodejs.org");
}
