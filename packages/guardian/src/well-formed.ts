import { SKETCH_LENGTH } from "./perceive/sketch.ts";
import { detectorNames } from "./policy.ts";
import { type Signal, type SignalType, statuses, toolKinds } from "./signal.ts";

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
const isBoolean: Check = (value) => typeof value === "boolean";
const textUpTo =
  (length: number): Check =>
  (value) =>
    typeof value === "string" && value.length <= length;
const isText = textUpTo(Number.POSITIVE_INFINITY);
const isPrint = textUpTo(24);
const isSketch = textUpTo(SKETCH_LENGTH);
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
const like =
  (shape: Shape): Check =>
  (value) =>
    fits(shape, value);

const isKind = oneOf(toolKinds);
const isDetector = oneOf(detectorNames);

const shapes: Readonly<Record<SignalType, Shape>> = {
  "run-start": { attended: isBoolean, tools: listOf(like({ name: isText, kind: optional(isKind) })) },
  "user-message": { origin: oneOf(["person", "automatic", "scheduled"]) },
  "stream-start": {},
  delta: { channel: oneOf(["text", "thinking", "tool-input"]), text: isText },
  reply: { stop: isText, calls: isNumber, words: isSketch },
  call: { id: isText, tool: isText, kind: isKind, print: like({ exact: isPrint, loose: isPrint, target: optional(isPrint), words: isSketch }) },
  result: {
    id: isText,
    outcome: like({
      status: oneOf(statuses),
      exact: isPrint,
      masked: isPrint,
      shape: isPrint,
      last: isPrint,
      size: isNumber,
      substance: isNumber,
      words: isSketch,
      failure: optional(isSketch),
      complaint: optional(isPrint),
      isNothing: optional(isBoolean),
      excerpt: optional(textUpTo(160)),
    }),
  },
  "turn-end": {},
  usage: { used: like({}), isPriced: isBoolean },
  compacted: {},
  waiting: { for: isPrint },
  "child-start": { id: isText, depth: isNumber },
  "child-end": { id: isText, depth: isNumber, findings: listOf(isDetector) },
  mute: { detector: optional(isDetector), tool: optional(isText), call: optional(isPrint) },
  tick: {},
};
