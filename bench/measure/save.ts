import { mkdirSync, writeFileSync } from "node:fs";
import { rounded } from "./table.ts";

/** Writes a report to `bench/results`, for the docs and for later comparison. */
export function save(report: { readonly benchmark: string }): void {
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${report.benchmark}.json`, folder), `${JSON.stringify(report, rounded, 2)}\n`);
}
