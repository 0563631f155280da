import type { Usage } from "../protocol/messages.ts";
import { maxEstimateError, minEstimateShare } from "../protocol/token-estimate.ts";
import { getField } from "./field-access.ts";

/** Our own counts, for figures that the provider does not report or that cannot be right. */
export interface EstimatedTokens {
  readonly input: number;
  /** Called only if it is needed. It counts as `maxOutput` at most. */
  output(): number;
  /** The limit of output tokens that was sent, which also covers thinking that is not shown. */
  readonly maxOutput: number;
}

/**
 * The most input tokens that are possible: twice as many as a text of this size can have, and what a provider adds by
 * itself, such as instructions about tools.
 */
function maxInputTokens(ownInput: number): number {
  return 2 * maxEstimateError * ownInput + 50_000;
}

/** The most output tokens that are possible: a few times the limit of the request, or what the text can have. */
function maxOutputTokens({ output, maxOutput }: EstimatedTokens): number {
  return Math.max(4 * maxOutput, 2 * maxEstimateError * output()) + 1_000;
}

/** In a smaller request, a figure that is far too small does no harm. */
const minCheckedTokens = 4_000;

/**
 * Converts the usage that a provider reported. A figure that is missing, not a number, negative, or zero although
 * something was generated is replaced by our own count, and so is an input that is too small for any text. A figure
 * that is too large for what was sent or received counts as the most that is possible. The usage is then marked as
 * estimated: a request never costs too little because the provider cannot count, and no budget is used up by a figure
 * that cannot be right. Any other figure is used as it is.
 */
export function toUsage(reported: unknown, estimated: EstimatedTokens): Usage {
  const inputTokens = getField(reported, "inputTokens");
  const reportedCaches = [getField(inputTokens, "cacheRead"), getField(inputTokens, "cacheWrite")];
  const ownInput = toTokens(estimated.input) ?? 0;
  const maxInput = maxInputTokens(ownInput);
  const [cacheRead = 0, cacheWrite = 0] = reportedCaches.map((tokens) => toTokens(tokens, maxInput));
  const cached = cacheRead + cacheWrite;
  const reportedInput = toTokens(getField(inputTokens, "total"));
  const input = reportedInput === undefined ? undefined : Math.min(reportedInput, maxInput);
  const reportedOutput = toTokens(getField(getField(reported, "outputTokens"), "total"));
  const output = possibleOutput(reportedOutput, estimated);
  const estimatedOutput = output === undefined || output === 0 ? ownOutput(estimated) : 0;

  const leastInput = ownInput < minCheckedTokens ? 1 : Math.floor(ownInput * minEstimateShare);
  const isInputPossible = input !== undefined && input >= leastInput && input >= cached;
  const isOutputPossible = output !== undefined && (output > 0 || estimatedOutput === 0);
  const isAsReported = input === reportedInput && output === reportedOutput;
  const areCachesValid = reportedCaches.every(
    (tokens) => (tokens ?? undefined) === undefined || isTokens(tokens, maxInput),
  );
  return Object.freeze({
    input: isInputPossible ? input : Math.max(ownInput, input ?? 0, cached),
    cacheRead,
    cacheWrite,
    output: isOutputPossible ? output : estimatedOutput,
    isEstimated: !(isInputPossible && isOutputPossible && isAsReported && areCachesValid),
  });
}

/** Providers stop at the limit: a count above it is one of text that is not a model's, or of an inexact counter. */
function ownOutput({ output, maxOutput }: EstimatedTokens): number {
  return Math.min(toTokens(output()) ?? 0, maxOutput);
}

/** A usual figure is possible without counting the text. */
function possibleOutput(output: number | undefined, estimated: EstimatedTokens): number | undefined {
  if (output === undefined || output <= estimated.maxOutput) return output;
  return Math.min(output, maxOutputTokens(estimated));
}

function toTokens(value: unknown, most = Number.MAX_SAFE_INTEGER): number | undefined {
  return isTokens(value, most) ? Math.round(value) : undefined;
}

function isTokens(value: unknown, most: number): value is number {
  return typeof value === "number" && value >= 0 && value <= most;
}
