import { shownPath } from "./shown-path.ts";

/** Where a value comes from. */
export type Origin =
  | "default"
  | { readonly file: string; readonly line: number; readonly isProject: boolean }
  | { readonly env: string }
  | { readonly flag: string };

/** The rank of the origin's layer: a higher layer overrides a lower one. Defaults are 0. */
export function layerRank(origin: Origin): number {
  if (origin === "default") return 0;
  if ("file" in origin) return origin.isProject ? 2 : 1;
  return "env" in origin ? 3 : 4;
}

/** Where a value comes from, in a few words. With `cwd`, files below it are named relative to it. */
export function describeOrigin(origin: Origin, cwd?: string): string {
  if (origin === "default") return "default";
  if ("file" in origin) return `${cwd === undefined ? origin.file : shownPath(origin.file, cwd)}:${origin.line}`;
  return "env" in origin ? origin.env : origin.flag;
}
