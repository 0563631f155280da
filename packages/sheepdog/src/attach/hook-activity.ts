import type { SpoolLine } from "@sheepdog/integrations/hooks";

/** How often the guardian did something, by what it was. */
export type InterventionCounts = Readonly<Record<"hint" | "warn" | "block" | "halt", number>>;

/** What hooks of an agent did lately. */
export interface HookActivity {
  readonly firings: number;
  /** When the last hook fired; milliseconds since 1970. */
  readonly lastAt: number | null;
  /** How long hooks worked, without the start of their process. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  /** What had an effect, and what would have had one if the guardian did not only observe. */
  readonly applied: InterventionCounts;
  readonly observed: InterventionCounts;
  /** The last message that had an effect; if none had, the last one that would have had one. */
  readonly lastMessage: string | null;
  /** The last failure of a hook. */
  readonly lastProblem: string | null;
}

/** Sums up lines of spools. */
export function hookActivity(lines: readonly SpoolLine[]): HookActivity {
  const hooks = lines.filter((line) => line.type === "hook");
  const interventions = lines.filter((line) => line.type === "intervention");
  const times = hooks.map(({ ms }) => ms).sort((one, other) => one - other);
  const inOrder = interventions.toSorted((one, other) => one.at - other.at);
  // What only would have been said is the last message only if nothing was said.
  const newest = inOrder.findLast(({ intervention }) => intervention.isApplied) ?? inOrder.at(-1);
  return {
    firings: hooks.length,
    lastAt: hooks.reduce<number | null>((last, { at }) => Math.max(last ?? 0, at), null),
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    applied: countsOf(interventions.filter(({ intervention }) => intervention.isApplied)),
    observed: countsOf(interventions.filter(({ intervention }) => !intervention.isApplied)),
    lastMessage: newest?.intervention.message ?? null,
    lastProblem: lines.findLast((line) => line.type === "problem")?.sentence ?? null,
  };
}

function countsOf(lines: readonly Extract<SpoolLine, { type: "intervention" }>[]): InterventionCounts {
  const counts = { hint: 0, warn: 0, block: 0, halt: 0 };
  for (const { intervention } of lines) if (intervention.level in counts) counts[intervention.level] += 1;
  return counts;
}

/** Of sorted numbers: the smallest that at least this share of them does not exceed. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** `2 hints, 1 refusal`; undefined if there was none. */
export function countsText({ hint, warn, block, halt }: InterventionCounts): string | undefined {
  const parts = [
    [hint, "hint"],
    [warn, "warning"],
    [block, "refusal"],
    [halt, "stop"],
  ] as const;
  const texts = parts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`]));
  return texts.length === 0 ? undefined : texts.join(", ");
}
