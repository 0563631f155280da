import type { Budgets } from "../../contract/index.ts";

/** The address of the event at which a loop was found. */
export function loopAddress({ runId, seq }: Pick<Budgets["loops"][number], "runId" | "seq">): string {
  return `/runs/${encodeURIComponent(runId)}#e${seq}`;
}
