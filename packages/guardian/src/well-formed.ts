import { SKETCH_LENGTH } from "./perceive/sketch.ts";
import { detectorNames, limitNames } from "./policy.ts";
import { type Signal, type SignalType, toolKinds } from "./signal.ts";

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

/** Whether something is a signal, with every field of its kind and none beyond its bounds. What is not is ignored: no caller's slip may end a run. */
export function isWellFormed(signal: unknown): signal is Signal {
  if (!isRecord(signal) || !isNumber(signal["at"])) return false;
  const type = signal["type"];
  return typeof type === "string" && Object.hasOwn(shapes, type) && fits(shapes[type as SignalType], signal); // an own key of `shapes` is a signal's type
}

function fits(shape: Shape, value: unknown): boolean {
  return isRecord(value) && Object.entries(shape).every(([key, check]) => check(value[key]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => isNumber(value) && (value as number) >= 0; // a number, by the check before
const isBoolean: Check = (value) => typeof value === "boolean";
const isText: Check = (value) => typeof value === "string";
const isPrint: Check = (value) => typeof value === "string" && value.length <= 24;
const isSketch: Check = (value) => typeof value === "string" && value.length <= SKETCH_LENGTH;
const isExcerpt: Check = (value) => typeof value === "string" && value.length <= 160;
const oneOf =
  (names: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && names.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const callPrint: Shape = { exact: isPrint, loose: isPrint, target: optional(isPrint), words: isSketch };
const outcomePrint: Shape = {
  status: oneOf(["ok", "error", "denied", "timeout", "unknown-tool", "invalid-arguments", "interrupted"]),
  exact: isPrint,
  masked: isPrint,
  shape: isPrint,
  last: isPrint,
  size: isCount,
  substance: isCount,
  words: isSketch,
  failure: optional(isSketch),
  complaint: optional(oneOf(["authentication", "rate-limit", "timeout", "edit-mismatch"])),
  excerpt: optional(isExcerpt),
};
const isUsed: Check = (value) =>
  isRecord(value) && Object.entries(value).every(([limit, used]) => (limitNames as readonly string[]).includes(limit) && isNumber(used));

const shapes: Readonly<Record<SignalType, Shape>> = {
  "run-start": { attended: isBoolean, tools: listOf((tool) => fits({ name: isText, kind: optional(oneOf(toolKinds)) }, tool)) },
  "user-message": { origin: oneOf(["person", "automatic", "scheduled"]) },
  "stream-start": {},
  delta: { channel: oneOf(["text", "thinking", "tool-input"]), text: isText },
  reply: { stop: oneOf(["end", "calls", "length", "refused", "incomplete"]), calls: isCount, words: isSketch },
  call: { id: isText, tool: isText, kind: oneOf(toolKinds), print: (print) => fits(callPrint, print) },
  result: { id: isText, outcome: (outcome) => fits(outcomePrint, outcome) },
  "turn-end": {},
  usage: { used: isUsed, isPriced: isBoolean },
  compacted: {},
  waiting: { for: oneOf(["first-byte", "stream", "tool", "approval", "child", "rate-limit", "nothing"]) },
  "child-start": { id: isText, depth: isCount },
  "child-end": { id: isText, depth: isCount, findings: listOf(oneOf(detectorNames)) },
  mute: { detector: optional(oneOf(detectorNames)), tool: optional(isText), call: optional(isPrint) },
  tick: {},
};
