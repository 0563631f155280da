import type { Policy } from "@sheepdog/guardian";
import { createPrices, type PriceOverrides, type Prices, readRecordingFile } from "@sheepdog/records";
import { analyzeItems, type FileAnswer } from "./analyze-items.ts";

/** A file to read and to analyze, as plain data for a thread. */
export interface ReadTask {
  readonly file: string;
  /** Digests of model requests that belong to other files. */
  readonly copies: Float64Array;
  readonly policy: Policy;
  readonly priceOverrides: PriceOverrides;
  readonly now: number;
}

/** Reads and analyzes a file. */
export async function* performReadTask({ priceOverrides, ...task }: ReadTask): AsyncGenerator<FileAnswer> {
  const prices = await pricesWith(priceOverrides);
  yield* analyzeItems(readRecordingFile(task.file), { ...task, prices });
}

let known: { readonly key: string; readonly prices: Promise<Prices> } | undefined;

/** All files of a scan have the same prices. */
function pricesWith(overrides: PriceOverrides): Promise<Prices> {
  const key = JSON.stringify(overrides);
  if (known?.key !== key) known = { key, prices: createPrices({ overrides }) };
  return known.prices;
}
