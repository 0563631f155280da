import { unknownModelSize } from "@sheepdog/records";
import type { Config } from "../config/schema.ts";

/** The context of the system whose rules the preset `ryvos` has. */
const RYVOS_TOKENS = 32_000;

/**
 * The maximum size of a request: as configured, but not above the model's window, which the provider enforces. Default:
 * the whole window. 0: no limit.
 */
export function contextSize({ max_context_tokens, guardian }: Config["agent"], window: number | undefined): number {
  if (max_context_tokens === 0) return 0;
  const wanted = max_context_tokens ?? (guardian.preset === "ryvos" ? RYVOS_TOKENS : undefined);
  return Math.min(wanted ?? window ?? unknownModelSize.window, window ?? Number.POSITIVE_INFINITY);
}
