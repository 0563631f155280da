import type { AgentEvent } from "@sheepdog/agent";

/** The events that can be used, and the number of those that cannot. */
export interface ReadableEvents {
  readonly events: readonly AgentEvent[];
  readonly unreadable: number;
}

/**
 * Checks stored events once, so that everything after can trust them: each has a type, a number, a run and the fields
 * that views read. An event without a valid time gets the time of the one before it.
 */
export function readableEvents(stored: readonly unknown[]): ReadableEvents {
  const events: AgentEvent[] = [];
  let lastAt = 0;
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

function isReadable(value: unknown): value is Fields {
  if (!isRecord(value)) return false;
  const { type, seq, sessionId, runId } = value;
  if (typeof type !== "string" || typeof sessionId !== "string" || typeof runId !== "string") return false;
  if (typeof seq !== "number" || !Number.isSafeInteger(seq)) return false;
  return checks.get(type)?.(value) ?? true;
}

const hasText =
  (...names: readonly string[]) =>
  (event: Fields) =>
    names.every((name) => typeof event[name] === "string");

const hasIntervention = ({ intervention }: Fields) => isIntervention(intervention);

function isIntervention(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, detector, level, message, evidence, count } = value;
  return (
    [id, detector, level, message].every((text) => typeof text === "string") &&
    ["hint", "warn", "block", "halt"].includes(String(level)) &&
    Array.isArray(evidence) &&
    isNumber(count)
  );
}

const hasResult = ({ result }: Fields) =>
  isRecord(result) && typeof result["reason"] === "string" && typeof result["text"] === "string";

/** The fields that views read without looking; events of other types are passed on as they are. */
const checks: ReadonlyMap<string, (event: Fields) => boolean> = new Map<string, (event: Fields) => boolean>([
  ["RunStarted", hasText("prompt")],
  ["TurnStarted", ({ turn }) => isNumber(turn)],
  ["ToolStart", hasText("callId", "tool")],
  ["ToolEnd", hasText("callId", "tool", "status", "content")],
  ["ToolBlocked", hasText("callId", "tool", "message")],
  ["GateDecision", hasText("callId", "reason")],
  ["ApprovalRequested", hasText("callId", "tool", "reason")],
  ["ApprovalResolved", hasText("callId")],
  [
    "QuestionAsked",
    ({ question }) => isRecord(question) && hasText("id", "text")(question) && hasIntervention(question),
  ],
  ["QuestionAnswered", hasText("questionId", "answer")],
  ["CostEvent", ({ totalNanoUsd }) => totalNanoUsd === null || isNumber(totalNanoUsd)],
  ["UsageUpdate", ({ usage, total }) => isRecord(usage) && isRecord(total)],
  ["ContextCompacted", ({ before, after }) => isNumber(before) && isNumber(after)],
  ["GuardianIntervention", hasIntervention],
  ["GuardianRecovered", hasText("episode")],
  ["OpinionAsked", ({ request }) => isRecord(request) && hasText("id", "level")(request)],
  ["OpinionGiven", hasText("request", "verdict")],
  ["ProviderRetry", hasText("problem")],
  ["LimitChanged", hasText("limit")],
  ["JudgeVerdict", hasText("verdict")],
  ["GraphGenerated", ({ nodes, edges, kept }) => [nodes, edges, kept].every(Array.isArray)],
  ["NodeStarted", hasText("nodeId", "childId")],
  ["NodeComplete", hasText("nodeId", "status")],
  ["EvolutionTriggered", hasText("diagnosis")],
  ["ChildStarted", hasText("childId", "task")],
  ["ChildComplete", hasText("childId")],
  ["RunComplete", hasResult],
  ["RunError", hasResult],
]);

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isTime(value: unknown): value is number {
  return isNumber(value) && value > 0;
}
