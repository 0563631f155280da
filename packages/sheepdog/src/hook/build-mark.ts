import { statSync } from "node:fs";
import { packageRoot } from "../package-root.ts";

/** Tells builds of this program apart, as bin/hook.js does. Sources that run without a build have one mark. */
export function buildMark(): string {
  const stats = statSync(new URL("dist/hook.cjs", packageRoot), { throwIfNoEntry: false });
  return stats === undefined ? "source" : `${Math.round(stats.mtimeMs)}-${stats.size}`;
}
