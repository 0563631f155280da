import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { tokensField } from "../fields.ts";

/** Token counts of the Gemini API. */
export interface GeminiCounts {
  /** All input with the cached part; without what tools of the server put into the prompt. */
  readonly prompt: unknown;
  readonly candidates: unknown;
  readonly cached: unknown;
  readonly thoughts: unknown;
  readonly toolPrompt: unknown;
  readonly total: unknown;
}

/**
 * The usage of a request; undefined without any count. The Gemini API counts thoughts beside the candidates, and
 * results of server tools beside the prompt. Other providers behind the same agent count them within. The total tells
 * which.
 */
export function geminiUsage(counts: GeminiCounts): RecordedUsage | undefined {
  const prompt = tokensField(counts.prompt) ?? 0;
  const candidates = tokensField(counts.candidates) ?? 0;
  const thoughts = tokensField(counts.thoughts) ?? 0;
  const toolPrompt = tokensField(counts.toolPrompt) ?? 0;
  const total = tokensField(counts.total) ?? 0;
  if (prompt + candidates + thoughts + toolPrompt === 0) return undefined;
  const beside = total - prompt - candidates;
  const areThoughtsWithin = total > 0 && thoughts > 0 && beside < thoughts;
  const outputTokens = areThoughtsWithin ? Math.max(candidates, thoughts) : candidates + thoughts;
  const isToolPromptWithin = total > 0 && toolPrompt > 0 && total - prompt - outputTokens < toolPrompt;
  return {
    inputTokens: isToolPromptWithin ? prompt : prompt + toolPrompt,
    cacheReadTokens: tokensField(counts.cached) ?? 0,
    outputTokens,
  };
}
