import { type Intervention, levels } from "@sheepdog/guardian";
import { isObject } from "../../trajectory/parse-json.ts";
import { textField } from "../fields.ts";

const effects: readonly Intervention["effect"][] = ["tell", "interrupt", "deny", "stop"];

/** An intervention as a hook wrote it; undefined if a field is missing that lists and timelines show. */
export function interventionField(value: unknown): Intervention | undefined {
  if (!isObject(value)) return undefined;
  const { id, detector, level, effect, call, evidence, count, message, isApplied } = value;
  const hasTexts = [id, detector, message].every((text) => textField(text) !== undefined);
  const hasNumbers = typeof call === "number" && typeof count === "number";
  const hasEvidence = Array.isArray(evidence) && evidence.every((index) => typeof index === "number");
  const isKnown = levels.some((name) => name === level) && effects.some((name) => name === effect);
  if (!hasTexts || !hasNumbers || !hasEvidence || !isKnown || typeof isApplied !== "boolean") return undefined;
  return value as unknown as Intervention; // all of its required fields are checked
}
