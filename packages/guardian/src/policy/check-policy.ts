import { toolKinds } from "../perceive/tool-kind.ts";
import { isAmount } from "./amount.ts";
import { defaultPolicy } from "./default-policy.ts";
import { detectorNames } from "./detector-rungs.ts";
import { limitNames } from "./limit.ts";
import { modes } from "./mode.ts";
import { type Policy, secondOpinionModes, unpricedModes } from "./policy.ts";
import { levels } from "./rungs.ts";
import { showValue } from "./show-value.ts";

const policyFields: readonly string[] = [...Object.keys(defaultPolicy), "argumentChars"];

/**
 * Returns the policy with absent fields taken from the default policy.
 * Throws for a field, a detector or a limit that does not exist, and for values that would never have an effect.
 */
export function checkPolicy(partial: Partial<Policy>): Policy {
  expectObject("the policy", partial);
  const present = Object.entries(partial).filter(([, value]) => value !== undefined && value !== null);
  for (const [field] of present) expectOneOf("each field of the policy", field, policyFields);
  const policy: Policy = { ...defaultPolicy, ...Object.fromEntries(present) };
  const { detectors, limits, spawn, stallMs, attendedScale, argumentChars, tools } = policy;
  expectOneOf("mode of the policy", policy.mode, modes);
  expectOneOf("unpriced of the policy", policy.unpriced, unpricedModes);
  expectOneOf("secondOpinion of the policy", policy.secondOpinion, secondOpinionModes);
  checkAmounts("detectors", detectors, { names: detectorNames, parts: ["suspect", ...levels] });
  checkAmounts("limits", limits, { names: limitNames, parts: ["warn", "stop"] });
  expectObject("spawn of the policy", spawn);
  for (const [field, value] of Object.entries({ stallMs, attendedScale, argumentChars, ...spawn }))
    if (value !== undefined) expectAmount(`${field} of the policy`, value);
  checkTools(tools);
  return policy;
}

/** Checks a record of records of amounts. */
function checkAmounts(
  field: string,
  records: object,
  { names, parts }: { readonly names: readonly string[]; readonly parts: readonly string[] },
): void {
  expectObject(`${field} of the policy`, records);
  for (const [name, amounts] of Object.entries(records)) {
    expectOneOf(`each of the ${field} of the policy`, name, names);
    if (amounts === undefined) continue;
    expectObject(`${field}.${name} of the policy`, amounts);
    for (const [part, value] of Object.entries(amounts as object)) {
      expectOneOf(`each field of ${field}.${name} of the policy`, part, parts);
      if (value !== undefined) expectAmount(`${field}.${name}.${part} of the policy`, value);
    }
  }
}

function checkTools(tools: unknown): void {
  if (!Array.isArray(tools))
    throw new TypeError(`Expected tools of the policy to be a list of rules, got ${showValue(tools)}.`);
  for (const rule of tools) {
    expectObject("each of the tools of the policy", rule);
    const { match, kind, off, scale } = rule;
    if (typeof match !== "string")
      throw new TypeError(`Expected match of a tool rule to be text like "bash" or "mcp_*", got ${showValue(match)}.`);
    if (kind !== undefined) expectOneOf("kind of a tool rule", kind, toolKinds);
    if (scale !== undefined) expectAmount("scale of a tool rule", scale);
    if (off === undefined || off === "all") continue;
    if (!Array.isArray(off))
      throw new TypeError(`Expected off of a tool rule to be "all" or a list of detectors, got ${showValue(off)}.`);
    for (const name of off) expectOneOf("each detector in off of a tool rule", name, detectorNames);
  }
}

function expectObject(subject: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`Expected ${subject} to be an object, got ${showValue(value)}.`);
}

function expectOneOf(subject: string, value: unknown, names: readonly string[]): void {
  if (!names.some((name) => name === value))
    throw new RangeError(`Expected ${subject} to be one of ${names.join(", ")}, got ${showValue(value)}.`);
}

function expectAmount(subject: string, value: unknown): void {
  if (!isAmount(value)) throw new RangeError(`Expected ${subject} to be a number from 0 up, got ${showValue(value)}.`);
}
