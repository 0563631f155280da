import type { Policy } from "@sheepdog/guardian";

/** What a runtime can be told about how its runs go; the names of `[agent]` in the configuration. */
export interface AgentSettings {
  readonly maxTurns: number;
  readonly maxDurationSecs: number;
  readonly maxContextTokens: number;
  readonly maxOutputTokens: number;
  readonly maxToolOutputTokens: number;
  readonly toolTimeoutSecs: number;
  readonly parallelTools: boolean;
  readonly contextStrategy: "summarize" | "sliding_window" | "compact" | "none";
  readonly minTail: number;
  readonly maxRetries: number;
  /** How often a reply cut off at its length limit is continued. */
  readonly maxTokensRecoveries: number;
  /** How often a reply without text and calls is answered with a nudge. */
  readonly maxEmptyReplies: number;
  /** Silence after which a request is given up: before the first part of a reply, and between two. */
  readonly firstByteSecs: number;
  readonly betweenSecs: number;
}

/** What holds where nothing else is said. */
export const defaultSettings: AgentSettings = {
  maxTurns: 25,
  maxDurationSecs: 600,
  maxContextTokens: 32_000,
  maxOutputTokens: 4_096,
  maxToolOutputTokens: 4_000,
  toolTimeoutSecs: 120,
  parallelTools: true,
  contextStrategy: "compact",
  minTail: 6,
  maxRetries: 3,
  maxTokensRecoveries: 2,
  maxEmptyReplies: 2,
  firstByteSecs: 300,
  betweenSecs: 300,
};

/** Throws a sentence for a setting that could not hold. */
export function checkSettings(settings: AgentSettings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== "number") continue;
    const isCount = name === "maxRetries" || name.startsWith("maxTokensRec") || name === "maxEmptyReplies" || name === "minTail";
    const isWait = name === "firstByteSecs" || name === "betweenSecs"; // 0 is off: the guardian's own notice of a stall remains
    const isRight = isCount ? Number.isInteger(value) && value >= 0 : isWait ? value >= 0 : value > 0;
    if (!isRight) throw new RangeError(`Expected ${name} to be ${isCount ? "a whole number from 0 up" : "a number above 0"}, got ${value}.`);
  }
  const strategies = ["summarize", "sliding_window", "compact", "none"];
  if (!strategies.includes(settings.contextStrategy))
    throw new RangeError(`Expected contextStrategy to be one of ${strategies.join(", ")}, got ${String(settings.contextStrategy)}.`);
}

/** Throws a sentence for a limit that would warn after it has ended the run. */
export function checkLimits({ limits }: Policy): void {
  for (const [name, { warn = 0, stop = 0 }] of Object.entries(limits))
    if (stop > 0 && warn > stop) throw new RangeError(`Expected the limit ${name} to warn before it stops: warn is ${warn}, stop is ${stop}.`);
}
