import type { Usage } from "../protocol/messages.ts";
import { minEstimateShare } from "../protocol/token-estimate.ts";
import { getField } from "./field-access.ts";

/** Our own counts, for figures that the provider does not report or that cannot be right. */
export interface EstimatedTokens {
  readonly input: number;
  /** Called only if it is needed. */
  output(): number;
}

/** No request uses more tokens. */
const maxTokens = 1e9;

/** In a smaller request, a figure that is far too small does no harm. */
const minCheckedTokens = 4_000;

/**
 * Converts the usage that a provider reported. A figure that is missing, not a number, negative, too large, or zero
 * although something was generated is replaced by our own count, and so is an input that is too small for any text. The
 * usage is then marked as estimated: a request is never free because the provider cannot count. Any other figure is
 * used as it is.
 */
export function toUsage(reported: unknown, estimated: EstimatedTokens): Usage {
  const inputTokens = getField(reported, "inputTokens");
  const reportedCaches = [getField(inputTokens, "cacheRead"), getField(inputTokens, "cacheWrite")];
  const [cacheRead = 0, cacheWrite = 0] = reportedCaches.map(toTokens);
  const cached = cacheRead + cacheWrite;
  const input = toTokens(getField(inputTokens, "total"));
  const output = toTokens(getField(getField(reported, "outputTokens"), "total"));
  const estimatedOutput = output === undefined || output === 0 ? (toTokens(estimated.output()) ?? 0) : 0;

  const ownInput = toTokens(estimated.input) ?? 0;
  const leastInput = ownInput < minCheckedTokens ? 1 : Math.floor(ownInput * minEstimateShare);
  const isInputValid = input !== undefined && input >= leastInput && input >= cached;
  const isOutputValid = output !== undefined && (output > 0 || estimatedOutput === 0);
  const areCachesValid = reportedCaches.every((tokens) => (tokens ?? undefined) === undefined || isTokens(tokens));
  return Object.freeze({
    input: isInputValid ? input : Math.max(ownInput, input ?? 0, cached),
    cacheRead,
    cacheWrite,
    output: isOutputValid ? output : estimatedOutput,
    isEstimated: !(isInputValid && isOutputValid && areCachesValid),
  });
}

function toTokens(value: unknown): number | undefined {
  return isTokens(value) ? Math.round(value) : undefined;
}

function isTokens(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= maxTokens;
}
