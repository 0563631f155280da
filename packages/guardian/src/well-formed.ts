import { fields } from "./fields.ts";
import { detectorNames, limitNames } from "./policy.ts";
import { channels, type Signal, statuses, toolKinds, waitings } from "./signal.ts";

/** Whether something is a signal, with every field of its kind and none beyond its bounds. What is not is ignored: no caller's slip may end a run. */
export function isWellFormed(signal: unknown, at: unknown): signal is Signal {
  const it = fields(signal);
  if (!isNumber(at)) return false;
  switch (it["type"]) {
    case "run-start":
      return (
        typeof it["attended"] === "boolean" &&
        isText(it["run"] ?? "") &&
        Array.isArray(it["tools"]) &&
        it["tools"].every((tool) => isText(fields(tool)["name"]) && isOne(toolKinds, fields(tool)["kind"] ?? "unknown"))
      );
    case "user-message":
      return isOne(["person", "automatic", "scheduled"], it["origin"]);
    case "delta":
      return isText(it["text"]) && isOne(channels, it["channel"]);
    case "reply":
      return isNumber(it["calls"]) && isSketch(it["words"]);
    case "call":
      return (
        isText(it["id"]) &&
        isText(it["tool"]) &&
        isOne(toolKinds, it["kind"]) &&
        isCallPrint(it["print"]) &&
        isNumber(it["of"] ?? 0)
      );
    case "result":
      return isText(it["id"]) && isOutcomePrint(it["outcome"]);
    case "usage":
      // Totals: fields that make no sense are left out one by one, so that the others still count.
      return (
        typeof it["used"] === "object" &&
        it["used"] !== null &&
        isText(it["day"] ?? "") &&
        isText(it["month"] ?? "") &&
        isText(it["child"] ?? "")
      );
    case "limit":
      return isOne(limitNames, it["limit"]) && isAmount(it["warn"] ?? 0) && isAmount(it["stop"] ?? 0);
    case "waiting":
      return isOne(waitings, it["for"]);
    case "child-start":
      return isText(it["id"]) && isNumber(it["depth"]);
    case "child-end":
      return isText(it["id"]) && isNumber(it["depth"]) && Array.isArray(it["findings"]);
    case "mute":
      return (
        isOne([...detectorNames, ""], it["detector"] ?? "") && isText(it["tool"] ?? "") && isPrint(it["call"] ?? "")
      );
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
  const {
    status,
    exact,
    masked,
    shape,
    last,
    size,
    substance,
    words,
    failure = "",
    complaint = "",
    excerpt = "",
  } = fields(value);
  const isRead =
    isPrint(exact) &&
    isPrint(masked) &&
    isPrint(shape) &&
    isPrint(last) &&
    isPrint(complaint) &&
    isSketch(words) &&
    isSketch(failure);
  return (
    isRead &&
    isNumber(size) &&
    isNumber(substance) &&
    isOne(statuses, status) &&
    isText(excerpt) &&
    (excerpt as string).length <= 160
  ); // text, by the check before
}

export function isAmount(value: unknown): value is number {
  return isNumber(value) && (value as number) >= 0; // a number, by the check before
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
