import { defaultPolicy } from "./default-policy.ts";
import { known } from "./known.ts";
import { detectorNames, limitNames, type Policy } from "./policy.ts";
import { isAmount } from "./well-formed.ts";

/** The policy with what it leaves out taken from the default. Throws a sentence for what would otherwise be a limit that never holds or a detector that never looks. */
export function checkPolicy(asked: Partial<Policy>): Policy {
  const policy: Policy = { ...defaultPolicy, ...known(asked) };
  const { mode, detectors, limits, spawn, stallMs, attendedScale, tools } = policy;
  expect(["guide", "advise", "observe"].includes(mode), "mode", mode, "guide, advise or observe");
  expect(Array.isArray(tools), "tools", tools, "a list of rules");
  amounts("detectors", detectors, detectorNames);
  amounts("limits", limits, limitNames);
  for (const [name, value] of Object.entries({ stallMs, attendedScale, ...spawn }))
    expect(isAmount(value), name, value, "a number from 0 up");
  return policy;
}

/** Each with numbers from 0 up, under names that exist. */
function amounts(key: string, all: object, names: readonly string[]): void {
  for (const [name, parts] of Object.entries(all)) {
    expect(names.includes(name), key, name, `one of ${names.join(", ")}`);
    for (const [part, value] of Object.entries(parts ?? {}))
      expect(value === undefined || isAmount(value), `${key}.${name}.${part}`, value, "a number from 0 up");
  }
}

function expect(isTrue: boolean, what: string, got: unknown, right: string): void {
  if (!isTrue) throw new Error(`Expected ${what} of the policy to be ${right}, got ${String(got)}.`);
}
