import { limitUnits } from "../../config/policy/units.ts";

/** An amount as it was written, or what is wrong with it. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Dollars as in 5, 2.50 or '$5', in nano-dollars. What a shell makes of a bare $5 is refused where it can be told. */
export function readMoney(text: string): Read<number> {
  const number = /^\$?((?:0|[1-9]\d{0,8})(?:\.\d{1,9})?)$/.exec(text.trim())?.[1];
  const nanoUsd = number === undefined ? 0 : Math.round(Number(number) * 1e9);
  if (nanoUsd > 0 && Number.isSafeInteger(nanoUsd)) return { ok: true, value: nanoUsd };
  return {
    ok: false,
    problem: `"${text}" is no amount of money; write dollars as in 5 or 2.50 (a shell takes a bare $5 apart: quote it, or leave the $ out)`,
  };
}

const tokenUnits: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

/** Tokens as in 50000, 500k or 1M. */
export function readTokens(text: string): Read<number> {
  const { number, unit } = /^(?<number>\d{1,12}(?:\.\d{1,6})?) ?(?<unit>[kmg]?)$/i.exec(text.trim())?.groups ?? {};
  const tokens = number === undefined ? 0 : Math.round(Number(number) * (tokenUnits[(unit ?? "").toLowerCase()] ?? 1));
  if (tokens > 0 && Number.isSafeInteger(tokens)) return { ok: true, value: tokens };
  return { ok: false, problem: `"${text}" is no number of tokens; write it as in 50000, 500k or 1M` };
}

/** Turns as in 50. */
export function readTurns(text: string): Read<number> {
  const turns = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  return turns > 0
    ? { ok: true, value: turns }
    : { ok: false, problem: `"${text}" is no number of turns; write it as in 50` };
}

/** Time as in 90s, 20m or 2h, in milliseconds. */
export function readTime(text: string): Read<number> {
  const ms = limitUnits.time.read(text.trim());
  return ms === undefined
    ? { ok: false, problem: `"${text}" is no time; write it as in 90s, 20m or 2h` }
    : { ok: true, value: ms };
}
