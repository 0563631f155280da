import { join } from "node:path";
import { type Risk, unclear } from "../risk/risk.ts";
import { namesIn } from "./file-pattern.ts";
import type { FileScope } from "./file-scope.ts";
import { physicalPath } from "./path-location.ts";

/** Several steps may remove everything: the entries at the top of the workspace are counted over the whole line. */
export function wipeRisk({ workspace, changes }: FileScope): Risk | undefined {
  const root = physicalPath(workspace, ".") ?? workspace;
  const entries = namesIn(root).filter((name) => !/^(?:\..*|node_modules)$/.test(name));
  const removed = entries.filter((name) => changes?.removals.has(join(root, name)) === true);
  const isWiped =
    removed.length > 0 && (removed.length === entries.length || removed.length >= 5) && entries.length > 1;
  return isWiped && removed.length * 2 >= entries.length
    ? unclear("Removes most of what is in the workspace.", "recursive delete")
    : undefined;
}
