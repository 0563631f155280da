import type { LoopGuard } from "../guard/loop-guard.ts";

/** The totals that the SDK keeps in the context of a run. */
export interface UsageTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTokensDetails?: readonly Readonly<Record<string, number>>[] | undefined;
}

const noUsage: ReportedUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };

/** Reports what was used since the last look at the totals. An agent that is a tool may have totals of its own. */
export class UsageReader {
  readonly #loop: LoopGuard;
  readonly #reported = new WeakMap<object, ReportedUsage>();
  /** What was reported before the run was saved. The totals of the `RunState` include it. */
  #saved: ReportedUsage;
  /** The totals that were reported last. */
  reported: ReportedUsage;
  /** The model of the newest request, if the agent names it. */
  model: string | undefined;

  constructor(loop: LoopGuard, saved: ReportedUsage = noUsage) {
    this.#loop = loop;
    this.#saved = saved;
    this.reported = saved;
  }

  read(totals: UsageTotals | undefined): void {
    if (totals === undefined) return;
    const { inputTokens, outputTokens } = totals;
    const cacheReadTokens = (totals.inputTokensDetails ?? []).reduce(
      (sum, part) => sum + (part["cached_tokens"] ?? 0),
      0,
    );
    const before = this.#reported.get(totals) ?? this.#takeSaved(totals);
    this.reported = { inputTokens, outputTokens, cacheReadTokens };
    this.#reported.set(totals, this.reported);
    if (inputTokens === before.inputTokens && outputTokens === before.outputTokens) return;
    this.#loop.beforeRequest(); // ends the turn of an agent that is a tool: its requests need not be filtered
    this.#loop.usage({
      model: this.model,
      inputTokens: inputTokens - before.inputTokens,
      outputTokens: outputTokens - before.outputTokens,
      cacheReadTokens: cacheReadTokens - before.cacheReadTokens,
    });
  }

  #takeSaved(totals: UsageTotals): ReportedUsage {
    const saved = this.#saved;
    if (totals.inputTokens < saved.inputTokens) return noUsage; // the totals of another run
    this.#saved = noUsage;
    return saved;
  }
}

/** Totals of which the guard knows. */
export interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
}
