import { duration } from "@sheepdog/agent/timeline";
import type { LimitName } from "@sheepdog/guardian";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { shortNumber } from "../../render/terminal/short-number.ts";
import { type Parsed, readMoney, readTime, readTokens, readTurns } from "../read-amount.ts";

/** A limit that a user can change while the run is running. */
interface RaisableLimit {
  readonly limit: LimitName;
  /** The limit in a sentence: "the … is now $5.00". */
  readonly title: string;
  readonly read: (text: string) => Parsed<number>;
  readonly format: (amount: number) => string;
  /** The flag that starts a run with this limit. */
  readonly flag: (amount: number) => string;
}

const formatMoney = (nanoUsd: number) => dollars(nanoUsd / 1e9);
const cents = (nanoUsd: number) => nanoUsd / 1e7;

const raisableLimits: Readonly<Record<string, RaisableLimit>> = {
  cost: {
    limit: "run-cost",
    title: "cost limit",
    read: readMoney,
    format: formatMoney,
    flag: (nanoUsd) => `--max-cost ${nanoUsd / 1e9}`,
  },
  turns: {
    limit: "turns",
    title: "turn limit",
    read: readTurns,
    format: (turns) => counted(turns, "turn"),
    flag: (turns) => `--max-turns ${turns}`,
  },
  time: {
    limit: "time",
    title: "time limit",
    read: readTime,
    format: duration,
    flag: (ms) => `--max-time ${Math.ceil(ms / 1_000)}s`,
  },
  tokens: {
    limit: "run-tokens",
    title: "token limit",
    read: readTokens,
    format: (tokens) => `${shortNumber(tokens)} tokens`,
    flag: (tokens) => `--max-run-tokens ${tokens}`,
  },
  session: {
    limit: "session-cost",
    title: "session budget",
    read: readMoney,
    format: formatMoney,
    flag: (nanoUsd) => `--set budget.per_session_limit_cents=${cents(nanoUsd)}`,
  },
  day: {
    limit: "day-cost",
    title: "day budget of this run",
    read: readMoney,
    format: formatMoney,
    flag: (nanoUsd) => `--set budget.per_day_limit_cents=${cents(nanoUsd)}`,
  },
  month: {
    limit: "month-cost",
    title: "month budget of this run",
    read: readMoney,
    format: formatMoney,
    flag: (nanoUsd) => `--set budget.monthly_limit_cents=${cents(nanoUsd)}`,
  },
};

/** A request to change a limit of a run: to `amount`, or by `amount` if `isMore`. */
export interface RaiseRequest extends Omit<RaisableLimit, "read"> {
  readonly amount: number;
  readonly isMore: boolean;
}

/** Reads the words after the run: `5`, `+2`, `turns 50`, `time 20m`, `tokens 1M`. */
export function readRaiseRequest(words: readonly string[]): Parsed<RaiseRequest> {
  const [kind, text] = words.length > 1 ? [words[0] ?? "", words.slice(1).join(" ")] : ["cost", words[0] ?? ""];
  const raisable = Object.hasOwn(raisableLimits, kind) ? raisableLimits[kind] : undefined;
  if (raisable === undefined)
    return {
      ok: false,
      problem: `"${kind}" is not a limit that can be raised; it must be ${Object.keys(raisableLimits).join(", ")}`,
    };
  const isMore = text.startsWith("+");
  const amount = raisable.read(isMore ? text.slice(1) : text);
  if (!amount.ok) return amount;
  const { read: _, ...limit } = raisable;
  return { ok: true, value: { ...limit, amount: amount.value, isMore } };
}
