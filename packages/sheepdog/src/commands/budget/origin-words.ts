import type { Origin } from "../../config/load-config.ts";

/** Where a value comes from, in few words. */
export function originWords(origin: Origin | undefined): string {
  if (origin === undefined || origin === "default") return "default";
  if ("file" in origin) return `${origin.file}:${origin.line}`;
  return "env" in origin ? origin.env : origin.flag;
}
