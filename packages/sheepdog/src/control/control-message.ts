import type { RunAnswer } from "@sheepdog/agent";
import { type DetectorName, detectorNames, type LimitName, limitNames } from "@sheepdog/guardian";

/**
 * A message to a run of any process. A limit is in its own unit: nano-dollars, tokens, turns or milliseconds; 0 is no
 * limit. `more` is added to the limit in force when the run applies the message: only the run knows that limit.
 */
export type ControlMessage =
  | { readonly type: "limit"; readonly limit: LimitName; readonly stop: number; readonly warn?: number }
  | { readonly type: "limit"; readonly limit: LimitName; readonly more: number }
  | { readonly type: "stop" }
  | { readonly type: "steer"; readonly text: string }
  | ({ readonly type: "mute" | "unmute" } & MuteScope)
  | AnswerMessage;

/** What is muted: an episode, or a detector, a tool, or a detector for a tool. At least one field is set. */
interface MuteScope {
  readonly episode?: string;
  readonly detector?: DetectorName;
  readonly tool?: string;
}

/** An answer to exactly one question of a run, by its id. It is refused when that question is not open. */
export type AnswerMessage =
  /** Whether a call may be executed. */
  | {
      readonly type: "approval";
      readonly callId: string;
      readonly isAllowed: boolean;
      /** Exactly this call is allowed until the program ends. */
      readonly isAlways?: true;
      readonly reason?: string;
    }
  /** How the run continues. */
  | { readonly type: "answer"; readonly questionId: string; readonly answer: RunAnswer }
  /** The answer to a question of the agent. */
  | { readonly type: "reply"; readonly callId: string; readonly text: string };

/** Parses a message file; undefined if its content is not a valid message. */
export function parseMessage(json: string): ControlMessage | undefined {
  const value = asFields(parseJson(json));
  return value === undefined ? undefined : readMessage(value);
}

/** The fields of something that may be a message: each is checked before it is used. */
type Fields = Readonly<Record<string, unknown>>;

function readMessage(value: Fields): ControlMessage | undefined {
  const { type } = value;
  switch (type) {
    case "stop":
      return { type };
    case "steer":
      return isText(value["text"]) ? { type, text: value["text"] } : undefined;
    case "limit":
      return readLimit(value);
    case "mute":
    case "unmute": {
      const scope = readScope(value);
      return scope === undefined ? undefined : { type, ...scope };
    }
    case "approval":
      return readApproval(value);
    case "answer": {
      const { questionId } = value;
      const answer = readAnswer(value["answer"]);
      return isName(questionId) && answer !== undefined ? { type, questionId, answer } : undefined;
    }
    case "reply": {
      const { callId, text } = value;
      return isName(callId) && isText(text) ? { type, callId, text } : undefined;
    }
    default:
      return undefined;
  }
}

function readLimit({ limit, stop, warn, more }: Fields): ControlMessage | undefined {
  const name = limitNames.find((limitName) => limitName === limit);
  if (name === undefined) return undefined;
  if (stop === undefined && isAmount(more) && more > 0) return { type: "limit", limit: name, more };
  if (!isAmount(stop) || more !== undefined || (warn !== undefined && !isAmount(warn))) return undefined;
  return { type: "limit", limit: name, stop, ...(warn === undefined ? {} : { warn }) };
}

function readScope({ episode, detector, tool }: Fields): MuteScope | undefined {
  if (episode === undefined && detector === undefined && tool === undefined) return undefined;
  const name = detectorNames.find((detectorName) => detectorName === detector);
  if (detector !== undefined && name === undefined) return undefined;
  if ((episode !== undefined && !isName(episode)) || (tool !== undefined && !isName(tool))) return undefined;
  return {
    ...(episode === undefined ? {} : { episode }),
    ...(name === undefined ? {} : { detector: name }),
    ...(tool === undefined ? {} : { tool }),
  };
}

function readApproval({ callId, isAllowed, isAlways, reason }: Fields): ControlMessage | undefined {
  if (!isName(callId) || typeof isAllowed !== "boolean") return undefined;
  if (isAlways !== undefined && !(isAlways === true && isAllowed)) return undefined;
  const always = isAlways === undefined ? {} : { isAlways: true as const };
  const approval = { type: "approval", callId, isAllowed, ...always } as const;
  if (reason === undefined) return approval;
  return typeof reason === "string" && reason.length <= MAX_REASON ? { ...approval, reason } : undefined;
}

function readAnswer(value: unknown): RunAnswer | undefined {
  const { type, text } = asFields(value) ?? {};
  if (type === "stop" || type === "continue") return { type };
  return type === "tell" && isText(text) ? { type, text } : undefined;
}

const MAX_REASON = 10_000;
const MAX_NAME = 1_000;

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME;
}

/** The size of a text is bounded by that of the message file. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined; // each field is checked
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // reported as a file without a valid message
  }
}
