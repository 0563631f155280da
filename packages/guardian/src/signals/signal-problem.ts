import { asRecord } from "../perceive/as-record.ts";
import { statuses } from "../perceive/print.ts";
import { toolKinds } from "../perceive/tool-kind.ts";
import { isAmount } from "../policy/amount.ts";
import { detectorNames } from "../policy/detector-rungs.ts";
import { limitNames } from "../policy/limit.ts";
import { showValue } from "../policy/show-value.ts";
import { channels, judgeVerdicts, origins, type SignalType, verdicts, waitings } from "../signal.ts";

/** A sentence about the first thing that is wrong with a signal; undefined for a correct one. */
export function signalProblem(value: unknown): string | undefined {
  const signal = asRecord(value);
  const { type, at } = signal;
  const isType = (name: unknown): name is SignalType => typeof name === "string" && Object.hasOwn(fieldChecks, name);
  if (!isType(type)) {
    const types = Object.keys(fieldChecks).join(", ");
    return `Expected a signal whose type is one of ${types}, got ${showValue(type)}.`;
  }
  if (!Number.isFinite(at))
    return `Expected at of ${article(type)} ${type} signal to be a time in milliseconds, got ${showValue(at)}.`;
  const wrong = Object.entries(fieldChecks[type]).find(([field, { isValid }]) => !isValid(signal[field]));
  if (wrong === undefined) return undefined;
  const [field, { expected }] = wrong;
  return `Expected ${field} of ${article(type)} ${type} signal to be ${expected}, got ${showValue(signal[field])}.`;
}

function article(type: SignalType): string {
  return type === "opinion" || type === "unmute" ? "an" : "a";
}

interface FieldCheck {
  readonly expected: string;
  isValid(value: unknown): boolean;
}

const text: FieldCheck = { expected: "text", isValid: isText };
const number: FieldCheck = { expected: "a number", isValid: Number.isFinite };
const amount: FieldCheck = { expected: "a number from 0 up", isValid: isAmount };
const print: FieldCheck = { expected: "a print", isValid: isPrint };
const sketch: FieldCheck = { expected: "a sketch made by perceiveText()", isValid: isSketch };

function oneOf(names: readonly string[]): FieldCheck {
  return { expected: `one of ${names.join(", ")}`, isValid: (value) => names.some((name) => name === value) };
}

function optional({ expected, isValid }: FieldCheck): FieldCheck {
  return { expected, isValid: (value) => value === undefined || value === null || isValid(value) };
}

const muteFields: Readonly<Record<string, FieldCheck>> = {
  detector: optional(oneOf(detectorNames)),
  tool: optional(text),
  call: optional(print),
  episode: optional(text),
};

const fieldChecks: Record<SignalType, Readonly<Record<string, FieldCheck>>> = {
  "run-start": {
    attended: { expected: "true or false", isValid: (value) => typeof value === "boolean" },
    run: optional(text),
    tools: { expected: "a list of tools with names and known kinds", isValid: areTools },
  },
  "user-message": { origin: oneOf(origins) },
  "stream-start": {},
  delta: { text, channel: oneOf(channels) },
  reply: { calls: number, words: sketch },
  call: {
    id: text,
    tool: text,
    kind: oneOf(toolKinds),
    print: { expected: "a print made by perceiveCall()", isValid: isCallPrint },
    of: optional(number),
  },
  result: { id: text, outcome: { expected: "a print made by perceiveOutcome()", isValid: isOutcomePrint } },
  "turn-end": {},
  usage: {
    // Single totals that make no sense are ignored later, so that the others still count.
    used: { expected: "an object of totals", isValid: (value) => typeof value === "object" && value !== null },
    day: optional(text),
    month: optional(text),
    child: optional(text),
  },
  limit: { limit: oneOf(limitNames), warn: optional(amount), stop: optional(amount) },
  compacted: {},
  waiting: { for: oneOf(waitings) },
  "child-start": { id: text, depth: number },
  "child-end": { id: text, depth: number, findings: { expected: "a list of detectors", isValid: Array.isArray } },
  mute: muteFields,
  unmute: muteFields,
  opinion: { request: text, verdict: oneOf(verdicts), advice: optional(text) },
  verdict: { verdict: oneOf(judgeVerdicts), hint: optional(text) },
  tick: {},
};

function areTools(value: unknown): boolean {
  const isKind = optional(oneOf(toolKinds)).isValid;
  return Array.isArray(value) && value.map(asRecord).every(({ name, kind }) => isText(name) && isKind(kind));
}

function isCallPrint(value: unknown): boolean {
  const { exact, loose, target = "", figures = "", words } = asRecord(value);
  return [exact, loose, target, figures].every(isPrint) && isSketch(words);
}

function isOutcomePrint(value: unknown): boolean {
  const outcome = asRecord(value);
  const { exact, masked, shape, last, complaint = "", words, failure = "", excerpt = "" } = outcome;
  return (
    oneOf(statuses).isValid(outcome["status"]) &&
    [exact, masked, shape, last, complaint].every(isPrint) &&
    [words, failure].every(isSketch) &&
    [outcome["size"], outcome["substance"]].every(Number.isFinite) &&
    isText(excerpt) &&
    excerpt.length <= 160
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isPrint(value: unknown): boolean {
  return isText(value) && /^[\w+/=-]{0,24}$/.test(value);
}

function isSketch(value: unknown): boolean {
  return isText(value) && /^[\u0800-\ud7ff]{0,40}$/.test(value);
}
