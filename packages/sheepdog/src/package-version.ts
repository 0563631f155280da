import { readFileSync } from "node:fs";
import { packageRoot } from "./package-root.ts";

/** The version of this package. */
export function packageVersion(): string {
  const file = readFileSync(new URL("package.json", packageRoot), "utf8");
  return (JSON.parse(file) as { version: string }).version; // our own package.json
}
