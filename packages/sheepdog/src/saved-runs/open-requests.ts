import type { LedgerEntry, Stores } from "@sheepdog/agent";
import { counted, dollars } from "../render/terminal/amounts.ts";

/** Requests whose cost is not known: those in progress, and those whose process ended before they did. */
export interface OpenRequests {
  readonly reserved: OpenSum;
  readonly unconfirmed: OpenSum;
}

interface OpenSum {
  readonly requests: number;
  readonly nanoUsd: number;
}

/** Adds up the open requests of the ledger, optionally those since a time. */
export async function openRequests({ costs }: Pick<Stores, "costs">, now: number, since = 0): Promise<OpenRequests> {
  const sum = (rows: readonly LedgerEntry[]): OpenSum => {
    const counting = rows.filter(({ at }) => at >= since);
    return {
      requests: counting.length,
      nanoUsd: counting.reduce((total, { costNanoUsd }) => total + (costNanoUsd ?? 0), 0),
    };
  };
  const unconfirmed = (await costs.unconfirmed(now)).filter(({ state }) => state === "unconfirmed");
  return { reserved: sum(await costs.reserved(now)), unconfirmed: sum(unconfirmed) };
}

/** A sentence about the requests in progress, and one about those of processes that have ended, if there are any. */
export function openSentences({ reserved, unconfirmed }: OpenRequests): readonly string[] {
  const sentences: string[] = [];
  if (reserved.requests > 0) {
    const have = reserved.requests === 1 ? "has" : "have";
    sentences.push(`${amountOf(reserved).requests} in progress ${have} reserved ${amountOf(reserved).cost}.`);
  }
  if (unconfirmed.requests > 0) {
    const [their, count] = unconfirmed.requests === 1 ? ["its", "counts"] : ["their", "count"];
    const { requests, cost } = amountOf(unconfirmed);
    sentences.push(
      `${requests} ended with ${their} process and ${count} with ${cost}, the most that was possible. ` +
        "See: sheepdog cost --unconfirmed",
    );
  }
  return sentences;
}

function amountOf({ requests, nanoUsd }: OpenSum) {
  return { requests: counted(requests, "request"), cost: dollars(nanoUsd / 1e9) };
}

/** The same for JSON documents. */
export function openDocument({ reserved, unconfirmed }: OpenRequests): Readonly<Record<string, number>> {
  return { reservedUsd: reserved.nanoUsd / 1e9, unconfirmedUsd: unconfirmed.nanoUsd / 1e9 };
}
