import type { Intervention } from "./state/intervention.ts";

/** Describes an intervention over several lines: its detector, its calls and its message. `describe` names a call. */
export function explain(
  intervention: Intervention,
  describe: (call: number) => string | undefined = () => undefined,
): string {
  const { detector, level, effect, call, evidence, message, isApplied } = intervention;
  const position = call < 0 ? "before the first call" : `after call ${call}`;
  const action = isApplied ? effect : `would have: ${effect}`;
  return [
    `${detector}: ${level} ${position} (${action}), ${countText(intervention)}`,
    ...evidence.map((index) => `  call ${index}${prefixed(describe(index))}`),
    `  said: ${message}`,
  ].join("\n");
}

function prefixed(description: string | undefined): string {
  return description === undefined ? "" : `  ${description}`;
}

function countText({ count, evidence }: Intervention): string {
  const rounded = Number.isInteger(count) ? String(count) : count.toFixed(1);
  return evidence.length === 0 ? `counted ${rounded}` : `${rounded} equal calls counted`;
}
