import { limitUnits } from "../config/policy/limit-units.ts";

/** A value that was read from the command line, or what is wrong with it. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Reads dollars such as 5, 2.50 or '$5', in nano-dollars. */
export function readMoney(text: string): Parsed<number> {
  const number = /^\$?((?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)$/.exec(text.trim())?.[1];
  const nanoUsd = number === undefined ? 0 : Math.round(Number(number) * 1e9);
  if (nanoUsd > 0 && Number.isSafeInteger(nanoUsd)) return { ok: true, value: nanoUsd };
  return {
    ok: false,
    problem: `"${text}" is not an amount of money; write dollars such as 5 or 2.50, without $ (a shell expands $5)`,
  };
}

const tokenUnits: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

/** Reads tokens such as 50000, 500k or 1M. */
export function readTokens(text: string): Parsed<number> {
  const { number, unit } = /^(?<number>\d{1,12}(?:\.\d{1,6})?) ?(?<unit>[kmg]?)$/i.exec(text.trim())?.groups ?? {};
  const tokens = number === undefined ? 0 : Math.round(Number(number) * (tokenUnits[(unit ?? "").toLowerCase()] ?? 1));
  if (tokens > 0 && Number.isSafeInteger(tokens)) return { ok: true, value: tokens };
  return { ok: false, problem: `"${text}" is not a number of tokens; write it as 50000, 500k or 1M` };
}

/** Reads turns such as 50. */
export function readTurns(text: string): Parsed<number> {
  const turns = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  return turns > 0
    ? { ok: true, value: turns }
    : { ok: false, problem: `"${text}" is not a number of turns; write it as 50` };
}

/** Reads a time such as 90s, 20m or 2h, in milliseconds. */
export function readTime(text: string): Parsed<number> {
  const ms = limitUnits.time.read(text.trim());
  return ms === undefined
    ? { ok: false, problem: `"${text}" is not a time; write it as 90s, 20m or 2h` }
    : { ok: true, value: ms };
}
