import type { LimitName } from "@sheepdog/guardian";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { duration } from "../../render/timeline/duration.ts";
import { shortNumber } from "../cost/short-number.ts";
import { type Read, readMoney, readTime, readTokens, readTurns } from "./read-amount.ts";

/** A limit of a run that can be set anew while it goes on. */
interface Raisable {
  readonly limit: LimitName;
  readonly read: (text: string) => Read<number>;
  /** The amount in words, to follow "may". */
  readonly words: (amount: number) => string;
  /** How a run is started with it. */
  readonly flag: (amount: number) => string;
}

const money = (nanoUsd: number) => dollars(nanoUsd / 1e9);
const cents = (nanoUsd: number) => nanoUsd / 1e7;

const raisables: Readonly<Record<string, Raisable>> = {
  cost: {
    limit: "run-cost",
    read: readMoney,
    words: (amount) => `cost ${money(amount)}`,
    flag: (amount) => `--max-cost ${amount / 1e9}`,
  },
  turns: {
    limit: "turns",
    read: readTurns,
    words: (amount) => `take ${counted(amount, "turn")}`,
    flag: (amount) => `--max-turns ${amount}`,
  },
  time: {
    limit: "time",
    read: readTime,
    words: (amount) => `take ${duration(amount)}`,
    flag: (amount) => `--max-time ${Math.ceil(amount / 1_000)}s`,
  },
  tokens: {
    limit: "run-tokens",
    read: readTokens,
    words: (amount) => `use ${shortNumber(amount)} tokens`,
    flag: (amount) => `--max-run-tokens ${amount}`,
  },
  session: {
    limit: "session-cost",
    read: readMoney,
    words: (amount) => `go on until its session has cost ${money(amount)}`,
    flag: (amount) => `--set budget.per_session_limit_cents=${cents(amount)}`,
  },
  day: {
    limit: "day-cost",
    read: readMoney,
    words: (amount) => `go on until the day has cost ${money(amount)}`,
    flag: (amount) => `--set budget.per_day_limit_cents=${cents(amount)}`,
  },
  month: {
    limit: "month-cost",
    read: readMoney,
    words: (amount) => `go on until the month has cost ${money(amount)}`,
    flag: (amount) => `--set budget.monthly_limit_cents=${cents(amount)}`,
  },
};

/** What a run is to be allowed: so much in all, or so much more than now. */
export interface Raise extends Omit<Raisable, "read"> {
  readonly amount: number;
  readonly isMore: boolean;
}

/** Reads what comes behind the run: `5`, `+2`, `turns 50`, `time 20m`, `tokens 1M`. */
export function readRaise(words: readonly string[]): Read<Raise> {
  const [kind, text] = words.length > 1 ? [words[0] ?? "", words.slice(1).join(" ")] : ["cost", words[0] ?? ""];
  const raisable = Object.hasOwn(raisables, kind) ? raisables[kind] : undefined;
  if (raisable === undefined)
    return {
      ok: false,
      problem: `"${kind}" is nothing that can be raised; it must be ${Object.keys(raisables).join(", ")}`,
    };
  const isMore = text.startsWith("+");
  const amount = raisable.read(isMore ? text.slice(1) : text);
  if (!amount.ok) return amount;
  const { limit, words: inWords, flag } = raisable;
  return { ok: true, value: { limit, words: inWords, flag, amount: amount.value, isMore } };
}
