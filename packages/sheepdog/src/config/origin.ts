/** Where a value comes from. */
export type Origin =
  | "default"
  | { readonly file: string; readonly line: number; readonly isProject: boolean }
  | { readonly env: string }
  | { readonly flag: string };

/** The place of its layer in their order, the defaults being 0. */
export function layerOf(origin: Origin): number {
  if (origin === "default") return 0;
  if ("file" in origin) return origin.isProject ? 2 : 1;
  return "env" in origin ? 3 : 4;
}
