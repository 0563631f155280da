import { mkdirSync, writeFileSync } from "node:fs";
import type { Ablation } from "./ablations.ts";
import type { Coverage } from "./coverage.ts";
import type { DevelopmentRow } from "./development.ts";
import type { GuardianDetail } from "./guardian-detail.ts";
import type { Folds } from "./leave-one-out.ts";
import type { Agreement } from "./real/index.ts";
import type { SystemRow } from "./systems.ts";
import type { Unlabelled } from "./unlabelled.ts";

/** Everything that was measured: numbers over many runs, no content of a run. */
export interface Report {
  readonly benchmark: "detection";
  readonly date: string;
  readonly node: string;
  readonly method: string;
  /** How many labels have a run here. */
  readonly coverage: Coverage;
  /** The measured runs. */
  readonly runs: { readonly stuck: number; readonly clean: number };
  readonly systems: readonly SystemRow[];
  readonly development: readonly DevelopmentRow[];
  readonly agreements: readonly Agreement[];
  readonly guardian: GuardianDetail;
  readonly leaveOneSourceOut: readonly Folds[];
  readonly ablations: readonly Ablation[];
  readonly unlabelled: Unlabelled | null;
}

/** Writes the report to `bench/results`, for the docs and for later comparison. */
export function save(report: Report): void {
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("detection.json", folder), `${JSON.stringify(report, rounded, 2)}\n`);
}

/** Four digits: tables show up to three, and rounding twice to nearly the same place would change the last one. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value;
}
