import { Buffer } from "node:buffer";

/** Bytes of one token in an estimate. */
export const bytesPerToken = 4;

/**
 * How many times more tokens than estimated a text can have: a token has at least one byte. Prose and code have about
 * as many as estimated, in English, Chinese, Japanese and Korean; in Russian, Arabic, Hindi and Thai a third fewer.
 * Base64 has nearly three times as many, and rare characters four times.
 */
export const maxEstimateError = 4;

/**
 * The least share of its estimate that a text can have. Lines of dashes have 0.07, and text full of spaces has 0.03:
 * the longest tokens have 128 bytes. A provider that reports fewer tokens, such as 1 for 100 kB, does not count, or
 * leaves out what it has in its cache.
 */
export const minEstimateShare = 0.03;

/** Estimates tokens without a tokenizer: the only estimate, so that all parts agree about the size of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
