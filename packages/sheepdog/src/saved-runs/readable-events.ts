import type { AgentEvent } from "@sheepdog/agent";

/** The events that can be used, and the number of those that cannot. */
export interface ReadableEvents {
  readonly events: readonly AgentEvent[];
  readonly unreadable: number;
}

/**
 * Checks stored events once, so that everything after can trust them: each has a type, a number, a run and the fields
 * that views read. An event without a valid time gets the time of the one before it; the first one, `earlierAt`.
 */
export function readableEvents(stored: readonly unknown[], earlierAt: number = 0): ReadableEvents {
  const events: AgentEvent[] = [];
  let lastAt = earlierAt;
  for (const value of stored) {
    if (!isReadable(value)) continue;
    const at = isTime(value["at"]) ? value["at"] : lastAt;
    lastAt = at;
    const severity = typeof value["severity"] === "string" ? value["severity"] : "debug";
    const isComplete = value["at"] === at && value["severity"] === severity;
    events.push((isComplete ? value : { ...value, at, severity }) as unknown as AgentEvent); // checked by isReadable
  }
  return { events, unreadable: stored.length - events.length };
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

function isReadable(value: unknown): value is Fields {
  return isRecord(value) && head(value) && (shapes.get(String(value["type"]))?.(value) ?? true);
}

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const number: Check = (value) => typeof value === "number" && Number.isFinite(value);
const list: Check = Array.isArray;
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
const priceOrNull: Check = (value) => value === null || number(value);

const head = shape({ type: text, sessionId: text, runId: text, seq: Number.isSafeInteger });
const level = oneOf("hint", "warn", "block", "halt");
const intervention = shape({
  id: text,
  detector: text,
  level,
  effect: text,
  call: number,
  message: text,
  evidence: listOf(number),
  count: number,
  times: optional(number),
  tool: optional(text),
  question: optional(text),
  denies: optional(shape({ callId: text })),
  costNanoUsd: optional(number),
  isApplied: flag,
});
const question = shape({ id: text, text, intervention, costNanoUsd: priceOrNull });
const result = shape({
  state: text,
  reason: text,
  text,
  problem: optional(text),
  costNanoUsd: priceOrNull,
  costWithSubagentsNanoUsd: optional(priceOrNull),
});
const isLimits: Check = (limits) =>
  isRecord(limits) && Object.values(limits).every(shape({ warn: optional(number), stop: optional(number) }));
const call = { callId: text, tool: text };
const node = shape({ id: text, title: text });
const edge = shape({ from: text, to: text, when: optional((when) => text(when) || isCondition(when)) });
const isCondition: Check = (when) =>
  isRecord(when) && text(when["output"]) && ["equals", "notEquals", "contains"].some((name) => text(when[name]));

/** The fields that views read without a look; events of other types are passed on as they are. */
const shapes: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    RunStarted: {
      prompt: text,
      limits: optional(isLimits),
      mode: optional(text),
      preset: optional(text),
      isAttended: optional(flag),
      model: optional(text),
      maxContextTokens: optional(number),
    },
    StreamEnd: { text: optional(text) },
    UserMessage: { text },
    TurnStarted: { turn: number },
    ToolStart: { ...call, kind: optional(text), answerBy: optional(number) },
    ToolEnd: { ...call, status: text, content: text },
    ToolBlocked: { ...call, message: text, by: text },
    GateDecision: {
      callId: text,
      reason: text,
      tier: number,
      principles: optional(listOf(shape({ principle: text, reason: text }))),
      reasoning: optional(shape({ reason: text })),
    },
    ApprovalRequested: { ...call, reason: text, answerBy: optional(number) },
    ApprovalResolved: { callId: text, isAllowed: flag, reason: optional(text) },
    LessonLearned: { action: text, rule: text },
    QuestionAsked: { question, answerBy: optional(number) },
    QuestionAnswered: { questionId: text, answer: oneOf("stop", "continue", "tell", "none"), text: optional(text) },
    CostEvent: { totalNanoUsd: priceOrNull, costNanoUsd: priceOrNull },
    UsageUpdate: { usage: isRecord, total: isRecord },
    ContextCompacted: { before: number, after: number },
    GuardianIntervention: { intervention },
    GuardianRecovered: { episode: text },
    GuardianMuted: { detector: optional(text), tool: optional(text), episode: optional(text) },
    GuardianUnmuted: { detector: optional(text), tool: optional(text), episode: optional(text) },
    OpinionAsked: { request: shape({ id: text, level }) },
    OpinionGiven: {
      request: text,
      verdict: oneOf("stuck", "working", "unsure"),
      advice: optional(text),
      model: optional(text),
      skipped: optional(text),
      problem: optional(text),
    },
    ProviderRetry: { problem: text, waitMs: number, model: text },
    LimitChanged: { limit: text, stop: optional(number), warn: optional(number) },
    JudgeVerdict: { verdict: text, reason: optional(text) },
    GraphGenerated: { cycle: number, nodes: listOf(node), edges: listOf(edge), kept: list },
    NodeStarted: { nodeId: text, childId: text },
    NodeComplete: { nodeId: text, status: text, problem: optional(text), childId: optional(text) },
    EvolutionTriggered: { diagnosis: text },
    ChildStarted: { childId: text, task: text },
    ChildComplete: { childId: text, reason: text },
    RunComplete: { result },
    RunError: { result },
  }).map(([type, checks]) => [type, shape(checks)]),
);

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
