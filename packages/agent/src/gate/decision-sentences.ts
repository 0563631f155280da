import { asSentence } from "../protocol/as-sentence.ts";
import type { GateDecision } from "./gate.ts";

/** Why the user is asked: the reason, what the principles about intent and secrets add, and what the model says. */
export function approvalText({ reason, principles = [], reasoning }: GateDecision): string {
  const added = principles.filter(
    ({ principle, reason: finding }) =>
      (principle === "intent" || principle === "secrets") && !reason.includes(finding),
  );
  return [reason, ...added.map((finding) => finding.reason), ...reasoningText(reasoning)].join(" ");
}

/** The result that the model reads in place of a refused call: why, and what it may do instead. */
export function refusalText({ reason, instead }: Pick<GateDecision, "reason" | "instead">): string {
  return [`Not run: ${asSentence(reason)}`, ...(instead === undefined ? [] : [instead])].join(" ");
}

/** Empty if no model has answered. */
function reasoningText(reasoning: GateDecision["reasoning"]): readonly string[] {
  if (reasoning?.model === undefined) return [];
  const says = { fits: "it fits", "does not fit": "it does not fit", unsure: "unsure" }[reasoning.verdict];
  return [`Opinion of the model: ${says}. ${reasoning.reason}`];
}
