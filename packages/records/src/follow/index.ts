export type { Rates } from "../pricing/rates.ts";
export { readRates, type StoredRates, storeRates } from "../pricing/stored-rates.ts";
export { followClaudeCode } from "./claude-code.ts";
export { followCodex } from "./codex.ts";
export { type FollowedLines, type FollowedUsage, type FollowOptions, followUsage, noUsage } from "./follow-usage.ts";
export { followGeminiCli } from "./gemini-cli.ts";
export type { FollowedFormat } from "./request-statement.ts";
