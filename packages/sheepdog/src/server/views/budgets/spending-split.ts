import type { CostSum } from "@sheepdog/agent";
import type { SessionDigest } from "./session-digests.ts";

/** Money in nano-dollars that went into loops, by what it is split by. */
export interface LoopSpending {
  readonly byDay: ReadonlyMap<string, number>;
  readonly byModel: ReadonlyMap<string, number>;
  /** By the session that pays. */
  readonly bySession: ReadonlyMap<string, number>;
}

/** Adds up what loops cost since a day. */
export function loopSpending(digests: readonly SessionDigest[], sinceDay: string): LoopSpending {
  const byDay = new Map<string, number>();
  const byModel = new Map<string, number>();
  const bySession = new Map<string, number>();
  for (const { payer, loops } of digests) {
    for (const { day, model, nanoUsd } of loops.flatMap(({ parts }) => parts)) {
      if (day < sinceDay) continue;
      add(byDay, day, nanoUsd);
      add(byModel, model, nanoUsd);
      add(bySession, payer, nanoUsd);
    }
  }
  return { byDay, byModel, bySession };
}

/** Adds an amount under a key. */
export function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** Work and loops of an amount. Loops are never more than the whole: the ledger knows what was paid. */
export function split(costNanoUsd: number, loopNanoUsd = 0): { readonly workUsd: number; readonly loopUsd: number } {
  const loop = Math.min(Math.max(0, loopNanoUsd), Math.max(0, costNanoUsd));
  return { workUsd: (costNanoUsd - loop) / 1e9, loopUsd: loop / 1e9 };
}

/** The total of the sums of days from one day on. */
export function spentSince(days: readonly CostSum[], fromDay: string): number {
  return days.reduce((total, { key, costNanoUsd }) => (key >= fromDay ? total + costNanoUsd : total), 0);
}
