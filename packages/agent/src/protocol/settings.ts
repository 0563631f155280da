import type { Policy } from "@sheepdog/guardian";

/** Settings of a runtime, named like the keys of `[agent]` in the configuration. */
export interface AgentSettings {
  /** 0: no limit. */
  readonly maxTurns: number;
  /** 0: no limit. */
  readonly maxDurationSecs: number;
  /** Default: the model's context window. 0: the context is not managed, every request has the whole conversation. */
  readonly maxContextTokens: number;
  /** The most tokens that the model reads at once. Default: by the table of model sizes. 0: unknown. */
  readonly contextWindow: number;
  /** Default: the longest reply that the model allows. */
  readonly maxOutputTokens: number;
  readonly maxToolOutputTokens: number;
  readonly toolTimeoutSecs: number;
  readonly parallelTools: boolean;
  readonly contextStrategy: "summarize" | "sliding_window" | "compact" | "none";
  readonly minTail: number;
  /**
   * How often a failed request is retried. Default: 10 times in an attended run; in an unattended one until a limit of
   * the run ends it.
   */
  readonly maxRetries: number;
  /** How often a reply cut off at its length limit is continued. */
  readonly maxTokensRecoveries: number;
  /** How often a reply without text and calls is answered with a nudge. */
  readonly maxEmptyReplies: number;
  /** Silence after which a request is aborted: before the first part of a reply, and between two parts. */
  readonly firstByteSecs: number;
  readonly betweenSecs: number;
  /** Whether replies are streamed. Models that cannot stream return each reply as a whole. */
  readonly stream: boolean;
  /** Whether the events of a request have its newest messages and its reply; by default they have no content. */
  readonly requestContent: boolean;
  /** The rest of a token budget, and the fraction of a money budget, at which the agent is told to finish. */
  readonly reserveTokens: number;
  readonly reserveCostFraction: number;
  /** `model`: before a call of tier 3 or 4 is asked about or refused, the model says whether it fits the principles. */
  readonly gateReasoning: "off" | "model";
  /** The model judges a run with a goal on its answer, and also after this many turns; 0: on its answer only. */
  readonly judgeEveryTurns: number;
  /** The part of a run's cost that the judge's own requests may have; 0: the model is not asked. */
  readonly judgeMaxCostShare: number;
  /** How many nodes of a plan run at once. */
  readonly maxParallelNodes: number;
  /** How many nodes a plan may have. */
  readonly maxPlanNodes: number;
  /** How often a failed plan may be changed. */
  readonly maxEvolutionCycles: number;
}

/** The default settings, for a model of unknown size. */
export const defaultSettings: AgentSettings = {
  maxTurns: 25,
  maxDurationSecs: 600,
  maxContextTokens: 128_000,
  contextWindow: 0,
  maxOutputTokens: 8_192,
  maxToolOutputTokens: 4_000,
  toolTimeoutSecs: 120,
  parallelTools: true,
  contextStrategy: "summarize",
  minTail: 6,
  maxRetries: 10,
  maxTokensRecoveries: 2,
  maxEmptyReplies: 2,
  firstByteSecs: 300,
  betweenSecs: 300,
  stream: true,
  requestContent: false,
  reserveTokens: 512,
  reserveCostFraction: 0.1,
  gateReasoning: "off",
  judgeEveryTurns: 10,
  judgeMaxCostShare: 0.2,
  maxParallelNodes: 3,
  maxPlanNodes: 50,
  maxEvolutionCycles: 3,
};

/** Completes settings with the defaults. Throws a sentence for an unknown name or an impossible value. */
export function completeSettings(given: Partial<AgentSettings> = {}): AgentSettings {
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const unknown = Object.keys(defined).find((name) => !(name in defaultSettings));
  if (unknown !== undefined)
    throw new RangeError(`Expected one of the settings ${Object.keys(defaultSettings).join(", ")}; got ${unknown}.`);
  const settings: AgentSettings = { ...defaultSettings, ...defined };
  for (const [name, kind] of Object.entries(kinds)) {
    const value = settings[name as keyof AgentSettings];
    if (!kind.holds(value))
      throw new RangeError(
        `Expected ${name} to be ${kind.words}, got ${typeof value === "string" ? JSON.stringify(value) : value}.`,
      );
  }
  return settings;
}

interface Kind {
  readonly words: string;
  holds(value: unknown): boolean;
}

/** A timer cannot be set for longer. */
export const MAX_TIMER_SECS = 2_147_483;
const strategies: readonly unknown[] = ["summarize", "sliding_window", "compact", "none"];
const count: Kind = {
  words: "a whole number from 0 up",
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
const amount: Kind = {
  words: "a whole number above 0",
  holds: (value) => Number.isSafeInteger(value) && (value as number) > 0,
};
const seconds: Kind = {
  words: "a number of seconds above 0, or Infinity",
  holds: (value) => typeof value === "number" && value > 0 && isTimer(value),
};
const wait: Kind = {
  words: "a number of seconds, or 0 for none",
  holds: (value) => typeof value === "number" && value >= 0 && isTimer(value),
};

const fraction: Kind = {
  words: "a fraction from 0 to 1",
  holds: (value) => typeof value === "number" && value >= 0 && value <= 1,
};

function isTimer(value: number): boolean {
  return value <= MAX_TIMER_SECS || value === Number.POSITIVE_INFINITY;
}

const kinds: Readonly<Record<keyof AgentSettings, Kind>> = {
  maxTurns: count,
  maxDurationSecs: {
    words: "a number of seconds, or 0 for no limit",
    holds: (value) => typeof value === "number" && value >= 0,
  },
  maxContextTokens: count,
  contextWindow: count,
  maxOutputTokens: amount,
  maxToolOutputTokens: amount,
  toolTimeoutSecs: seconds,
  parallelTools: { words: "true or false", holds: (value) => typeof value === "boolean" },
  contextStrategy: { words: `one of ${strategies.join(", ")}`, holds: (value) => strategies.includes(value) },
  minTail: count,
  maxRetries: {
    words: "a whole number from 0 up, or Infinity",
    holds: (value) => count.holds(value) || value === Number.POSITIVE_INFINITY,
  },
  maxTokensRecoveries: count,
  maxEmptyReplies: count,
  firstByteSecs: wait,
  betweenSecs: wait,
  stream: { words: "true or false", holds: (value) => typeof value === "boolean" },
  requestContent: { words: "true or false", holds: (value) => typeof value === "boolean" },
  reserveTokens: count,
  reserveCostFraction: fraction,
  gateReasoning: { words: "off or model", holds: (value) => value === "off" || value === "model" },
  judgeEveryTurns: count,
  judgeMaxCostShare: fraction,
  maxParallelNodes: amount,
  maxPlanNodes: amount,
  maxEvolutionCycles: count,
};

/** Throws a sentence for a limit whose warning lies above its stop. */
export function checkLimits({ limits }: Policy): void {
  for (const [name, { warn = 0, stop = 0 }] of Object.entries(limits))
    if (stop > 0 && warn > stop)
      throw new RangeError(`Expected the limit ${name} to warn before it stops: warn is ${warn}, stop is ${stop}.`);
}
