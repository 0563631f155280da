import { Buffer } from "node:buffer";

/** A shorter value occurs in ordinary words, and protects nothing. */
const MIN_VALUE_LENGTH = 8;

/** Returns the function that replaces values by an ellipsis, in every spelling of `spellingsOf`. */
export function createValueMask(values: readonly string[]): (text: string) => string {
  const spellings = [...new Set(values.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const shortest = spellings.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  return (text) => {
    if (text.length < shortest) return text;
    let masked = text;
    for (const spelling of spellings) if (masked.includes(spelling)) masked = replaceAll(masked, spelling);
    return masked;
  };
}

/**
 * The spellings of a secret value: plain, in JSON, in JSON inside of JSON, in a URL, in hex, and in base64 at each of
 * the three positions that it can have inside of other data. Empty for a short value.
 */
export function spellingsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  if (trimmed.length < MIN_VALUE_LENGTH) return [];
  const bytes = Buffer.from(trimmed);
  const json = insideJson(trimmed);
  const slashes = trimmed.replaceAll("/", "\\/"); // as PHP writes JSON
  const url = encodeURIComponent(trimmed.toWellFormed());
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].map((position) => base64At(bytes, position));
  const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [
    ...[trimmed, json, insideJson(json), slashes, insideJson(slashes)],
    ...[url, url.replace(/%../g, (code) => code.toLowerCase()), url.replaceAll("%20", "+")],
    ...[hex, hex.toUpperCase()],
    ...base64,
    ...urlSafe,
  ];
}

function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The characters of base64 that depend on the bytes only, if `position` other bytes stand before them. */
function base64At(bytes: Buffer, position: number): string {
  const text = Buffer.concat([Buffer.alloc(position), bytes, Buffer.alloc(2)]).toString("base64");
  return text.slice(Math.ceil((position * 8) / 6), Math.floor(((position + bytes.length) * 8) / 6));
}

const partOfBase64 = /[\w+/=-]/;

/** Replaces a spelling, and the neighbours that hold a part of its first or last byte if it is in base64. */
function replaceAll(text: string, spelling: string): string {
  const parts = text.split(spelling);
  return parts
    .map((part, index) => {
      const isAfter = index > 0 && partOfBase64.test(part.charAt(0)) ? 1 : 0;
      const isBefore = index < parts.length - 1 && partOfBase64.test(part.slice(-1)) ? 1 : 0;
      return part.slice(isAfter, Math.max(isAfter, part.length - isBefore));
    })
    .join("…");
}
