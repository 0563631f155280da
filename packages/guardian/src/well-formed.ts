import { detectorNames } from "./policy.ts";
import { type Signal, statuses, toolKinds } from "./signal.ts";

/** Whether something is a signal, with every field of its kind and none beyond its bounds. What is not is ignored: no caller's slip may end a run. */
export function isWellFormed(signal: unknown): signal is Signal {
  const it = fields(signal);
  if (!isNumber(it["at"])) return false;
  switch (it["type"]) {
    case "run-start":
      return (
        typeof it["attended"] === "boolean" &&
        Array.isArray(it["tools"]) &&
        it["tools"].every((tool) => isText(fields(tool)["name"]) && isOne(toolKinds, fields(tool)["kind"] ?? "unknown"))
      );
    case "user-message":
      return isOne(["person", "automatic", "scheduled"], it["origin"]);
    case "delta":
      return isText(it["text"]);
    case "reply":
      return isNumber(it["calls"]) && isSketch(it["words"]);
    case "call":
      return isText(it["id"]) && isText(it["tool"]) && isOne(toolKinds, it["kind"]) && isCallPrint(it["print"]);
    case "result":
      return isText(it["id"]) && isOutcomePrint(it["outcome"]);
    case "usage":
      return typeof it["used"] === "object" && it["used"] !== null;
    case "waiting":
      return isPrint(it["for"]);
    case "child-start":
    case "child-end":
      return isText(it["id"]) && isNumber(it["depth"]);
    case "mute":
      return isOne([...detectorNames, ""], it["detector"] ?? "") && isText(it["tool"] ?? "") && isPrint(it["call"] ?? "");
    case "stream-start":
    case "turn-end":
    case "compacted":
    case "tick":
      return true;
    default:
      return false;
  }
}

function isCallPrint(value: unknown): boolean {
  const { exact, loose, target = "", words } = fields(value);
  return isPrint(exact) && isPrint(loose) && isPrint(target) && isSketch(words);
}

function isOutcomePrint(value: unknown): boolean {
  const { status, exact, masked, shape, last, size, substance, words, failure = "", complaint = "", excerpt = "" } = fields(value);
  const isRead = [exact, masked, shape, last, complaint].every(isPrint) && [words, failure].every(isSketch) && [size, substance].every(isNumber);
  return isRead && isOne(statuses, status) && isText(excerpt) && (excerpt as string).length <= 160; // text, by the check before
}

/** The fields of anything; none where it has none. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}; // any object may be asked for any field
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isOne(names: readonly string[], value: unknown): boolean {
  return names.includes(value as string); // a value that is no string is not among them
}

function isPrint(value: unknown): boolean {
  return isText(value) && /^[\w+/=-]{0,24}$/.test(value as string); // text, by the check before
}

function isSketch(value: unknown): boolean {
  return isText(value) && /^[\u0800-\ud7ff]{0,40}$/.test(value as string); // text, by the check before
}
