import type { Usage } from "../protocol/messages.ts";
import { field } from "./field-access.ts";

/** What was counted here, for figures that a provider does not give or that cannot be. Called only when needed. */
export interface Counted {
  input(): number;
  output(): number;
}

/** No request uses more tokens than this. */
const absurd = 1e9;

/**
 * The provider's figures as ours. What is missing, no number, negative, absurd, or zero where something was said is counted here instead, and flagged:
 * a request is never free because its provider cannot count.
 */
export function toUsage(told: unknown, counted: Counted): Usage {
  const inputs = field(told, "inputTokens");
  const outputs = field(told, "outputTokens");
  const toldRead = field(inputs, "cacheRead");
  const toldWrite = field(inputs, "cacheWrite");
  const cacheRead = figure(toldRead);
  const cacheWrite = figure(toldWrite);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const input = figure(field(inputs, "total"));
  const output = figure(field(outputs, "total"));
  const isInputFine = input !== undefined && input > 0 && input >= cached;
  const saidHere = output === undefined || output === 0 ? countedFigure(counted.output()) : 0;
  const isOutputFine = output !== undefined && (output > 0 || saidHere === 0);
  const areCachesFine = isAbsentOrFine(toldRead) && isAbsentOrFine(toldWrite);
  return Object.freeze({
    input: isInputFine ? input : Math.max(countedFigure(counted.input()), input ?? 0, cached),
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
    output: isOutputFine ? output : saidHere,
    isEstimated: !(isInputFine && isOutputFine && areCachesFine),
  });
}

function figure(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= absurd ? Math.round(value) : undefined;
}

function isAbsentOrFine(value: unknown): boolean {
  return value === undefined || value === null || figure(value) !== undefined;
}

function countedFigure(value: number): number {
  return figure(value) ?? 0;
}
