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
 * The finding that makes a decision stricter than its tier, if there is one: secrets that would leave the machine,
 * which the tier does not see. The other principles explain the tier; lessons are applied by the safety memory.
 */
export function raisingFinding(found: readonly PrincipleFinding[]): PrincipleFinding | undefined {
  return found.find(({ principle, verdict }) => verdict === "against" && principle === "secrets");
}
