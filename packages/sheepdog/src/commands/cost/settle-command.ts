import { userInfo } from "node:os";
import type { LedgerEntry, Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { confirm } from "../confirm.ts";
import { readMoney } from "../read-amount.ts";

/** The options of `sheepdog cost settle`. */
export interface SettleOptions {
  readonly amount?: string;
  readonly zero?: boolean;
  readonly yes?: boolean;
}

/** Settles an unconfirmed request with the amount that the user knows. */
export async function settleCommand(id: string, options: SettleOptions, io: Io): Promise<number> {
  const fail = async (sentence: string) => {
    await writeMessage(io, plainText(sentence));
    return exitCode.usage;
  };
  const amount = readAmount(options);
  if (typeof amount === "string") return fail(amount);
  const canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true;
  if (options.yes !== true && !canAsk) return fail("there is no terminal to ask on, so nothing was settled; use --yes");
  return withStores(
    io,
    async ({ stores }) => {
      const row = await findRow(stores, id);
      if (typeof row === "string") return fail(row);
      const change = `${row.id}: ${money(row.costNanoUsd)} becomes ${money(amount)}`;
      if (options.yes !== true && !(await confirm(`${change}. Settle it?`, io))) {
        await writeMessage(io, "nothing was settled");
        return exitCode.done;
      }
      const correction = { costNanoUsd: amount, by: userName(), at: Date.now() };
      if (!(await stores.costs.settleUnconfirmed(row, correction)))
        return fail(`${row.id} is not unconfirmed any more, so nothing was settled`);
      await write(io.stdout, `${change}.\n`);
      return exitCode.done;
    },
    { isWriting: true },
  );
}

/** The amount in nano-dollars, or why there is none. */
function readAmount({ amount, zero = false }: SettleOptions): number | string {
  if (zero === (amount !== undefined)) return "give the cost of the request: --amount 0.12, or --zero";
  if (zero || amount === undefined) return 0;
  const money = readMoney(amount);
  return money.ok ? money.value : money.problem;
}

async function findRow(stores: Stores, id: string): Promise<LedgerEntry | string> {
  const rows = (await stores.costs.unconfirmed(Date.now())).filter(({ state }) => state === "unconfirmed");
  const matches = rows.filter((row) => row.id === id || (id.length >= 6 && row.id.startsWith(id)));
  const [row] = matches;
  if (row === undefined) return `there is no unconfirmed request ${id}; list them with: sheepdog cost --unconfirmed`;
  return matches.length > 1 ? `${id} is the start of several requests; give the whole id` : row;
}

function money(nanoUsd: number | null): string {
  return nanoUsd === null ? "an unknown cost" : dollars(nanoUsd / 1e9);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown user"; // the system has no name for this user
  }
}
