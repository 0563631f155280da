import type { PrincipleFinding } from "../gate.ts";
import { boundaries } from "./boundaries.ts";
import { intent } from "./intent.ts";
import { learning } from "./learning.ts";
import { preservation } from "./preservation.ts";
import type { PrincipleInput } from "./principle-input.ts";
import { proportionality } from "./proportionality.ts";
import { secrets } from "./secrets.ts";
import { transparency } from "./transparency.ts";

const principles = [preservation, intent, proportionality, transparency, boundaries, secrets, learning] as const;

/** What each of the seven principles says about a call. */
export function evaluatePrinciples(input: PrincipleInput): readonly PrincipleFinding[] {
  return principles.map((judge) => judge(input));
}

/**
 * The finding that makes a decision stricter than its tier, if there is one. The other principles explain a tier; these
 * two see what the tier does not: secrets in the arguments, and what happened before.
 */
export function raisingFinding(found: readonly PrincipleFinding[]): PrincipleFinding | undefined {
  return found.find(
    ({ principle, verdict }) => verdict === "against" && (principle === "secrets" || principle === "learning"),
  );
}
