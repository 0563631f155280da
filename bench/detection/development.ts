import type { PreparedRun } from "./prepared-run.ts";
import { type Row, systemRows } from "./systems.ts";

/** The sources whose runs were read while the guardian's rules were written. The others were read later, in part. */
const developedWith: readonly string[] = ["agentdojo", "intercode", "tau-bench", "tau2-bench", "who-and-when"];

/** The guardian beside the best other rule, on the sources it was developed with and on the others. */
export interface DevelopmentRow {
  readonly sources: "developed with" | "read later";
  readonly guardian: Row;
  /** By F1 on these runs. */
  readonly bestOther: Row;
}

export function developmentRows(runs: readonly PreparedRun[]): readonly DevelopmentRow[] {
  return (["developed with", "read later"] as const).flatMap((sources) => {
    const members = runs.filter(({ source }) => developedWith.includes(source) === (sources === "developed with"));
    const [guardian, bestOther] = systemRows(members);
    if (members.length === 0 || guardian === undefined || bestOther === undefined) return [];
    return [{ sources, guardian: withoutSources(guardian), bestOther: withoutSources(bestOther) }];
  });
}

function withoutSources({ name, score }: Row): Row {
  return { name, score };
}
