import type { Intervention } from "./intervention.ts";

/** What a reader sees of an intervention: what was seen, on which calls, what was said. `describe` names a call where the caller has its text. */
export function explain(
  intervention: Intervention,
  describe: (call: number) => string | undefined = () => undefined,
): string {
  const { detector, level, effect, call, evidence, isApplied } = intervention;
  const at = call < 0 ? "before the first call" : `after call ${call}`;
  const lines = [
    `${detector}: ${level} ${at} (${isApplied ? effect : `would have: ${effect}`}), ${countedAs(intervention)}`,
  ];
  for (const index of evidence) {
    const text = describe(index);
    lines.push(`  call ${index}${text === undefined ? "" : `  ${text}`}`);
  }
  lines.push(`  said: ${intervention.message}`);
  return lines.join("\n");
}

function countedAs({ count, evidence }: Intervention): string {
  return evidence.length === 0 ? `counted ${round(count)}` : `${round(count)} equal calls counted`;
}

function round(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}
