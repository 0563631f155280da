import type { Parsed } from "../read-amount.ts";

/** Reads `--top`; undefined where it was not given. */
export function readTop(text: string | undefined): Parsed<number | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const isNumber = /^[1-9]\d{0,5}$/.test(text.trim());
  if (isNumber) return { ok: true, value: Number(text) };
  return { ok: false, problem: `--top ${text}: it must be a whole number above 0` };
}
