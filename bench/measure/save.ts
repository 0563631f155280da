import { mkdirSync, writeFileSync } from "node:fs";
import { rounded } from "./table.ts";

/** Keeps a report for docs and for comparing with later ones. */
export function save(report: { readonly benchmark: string }): void {
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${report.benchmark}.json`, folder), `${JSON.stringify(report, rounded, 2)}\n`);
}
