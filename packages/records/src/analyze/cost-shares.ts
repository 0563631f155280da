import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";
import { portion, stepNanoUsd } from "./recorded-costs.ts";

/** The part of a run's calls and cost that belongs to a tool, a model or an hour. */
export interface CostShare {
  /** The name of the tool or model, or the beginning of the hour in milliseconds since 1970. */
  readonly of: string;
  readonly calls: number;
  readonly nanoUsd: number;
  /** The calls that repeat an earlier one, and what they cost. */
  readonly stuckCalls: number;
  readonly stuckNanoUsd: number;
}

/** What the shares belong to. */
export type SharesOf = "tools" | "models" | "hours";

/** The name of steps without a call among the tools, and of steps without a model or a time. */
const noShareName = "";

type Draft = { -readonly [K in keyof CostShare]: CostShare[K] };

/**
 * Divides the calls and the cost of a run. Each call has its share of the cost of its turn; a turn without calls counts
 * for the tool "". The shares add up to the run.
 */
export function costShares(run: RecordedRun, repeats: ReadonlySet<number>, by: SharesOf): readonly CostShare[] {
  const shares = new Map<string, Draft>();
  let call = 0;
  for (const step of run.steps) {
    const stepCost = stepNanoUsd(step) ?? 0;
    const calls = step.calls.map(({ name, at }) => ({ name, at, isStuck: repeats.has(call++) }));
    if (calls.length === 0) add(shares, shareName(by, { run, step }), { calls: 0, nanoUsd: stepCost, isStuck: false });
    for (const [index, { name, at, isStuck }] of calls.entries()) {
      const nanoUsd = portion(stepCost, calls.length, index);
      add(shares, shareName(by, { run, step, tool: name, at }), { calls: 1, nanoUsd, isStuck });
    }
  }
  return [...shares.values()];
}

interface Place {
  readonly run: RecordedRun;
  readonly step: RecordedStep;
  readonly tool?: string;
  readonly at?: number | undefined;
}

function shareName(by: SharesOf, { run, step, tool = noShareName, at = step.at }: Place): string {
  switch (by) {
    case "tools":
      return tool;
    case "models":
      return step.model ?? run.model ?? noShareName;
    case "hours":
      return at === undefined ? noShareName : String(Math.floor(at / 3_600_000) * 3_600_000);
    default:
      return by satisfies never;
  }
}

function add(
  shares: Map<string, Draft>,
  of: string,
  { calls, nanoUsd, isStuck }: { readonly calls: number; readonly nanoUsd: number; readonly isStuck: boolean },
): void {
  const share = shares.get(of) ?? { of, calls: 0, nanoUsd: 0, stuckCalls: 0, stuckNanoUsd: 0 };
  shares.set(of, share);
  share.calls += calls;
  share.nanoUsd += nanoUsd;
  if (!isStuck) return;
  share.stuckCalls += calls;
  share.stuckNanoUsd += nanoUsd;
}
