import { Buffer } from "node:buffer";

/** A way in which a secret value is written. */
export interface Spelling {
  readonly text: string;
  /** Set if programs break the text into lines. */
  readonly encoding?: "hex" | "base64";
}

/** A shorter value occurs in ordinary words, and protects nothing. */
const MIN_VALUE_LENGTH = 8;

/**
 * The spellings of a secret value: plain, in JSON, in JSON inside of JSON, in a URL, with every character escaped, in
 * hex, and in base64 at each of the three positions that it can have inside of other data. Empty for a short value.
 */
export function spellingsOf(value: string): readonly Spelling[] {
  const trimmed = value.trim();
  if (trimmed.length < MIN_VALUE_LENGTH) return [];
  const bytes = Buffer.from(trimmed);
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].map((position) => base64At(bytes, position));
  const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [
    ...[...jsonSpellings(trimmed), ...urlSpellings(trimmed), ...escapedSpellings(trimmed)].map((text) => ({ text })),
    ...[hex, hex.toUpperCase()].map((text) => ({ text, encoding: "hex" }) as const),
    ...[...base64, ...urlSafe].map((text) => ({ text, encoding: "base64" }) as const),
  ];
}

function jsonSpellings(value: string): readonly string[] {
  const json = insideJson(value);
  const slashes = value.replaceAll("/", "\\/"); // as PHP writes JSON
  return [value, json, insideJson(json), slashes, insideJson(slashes)];
}

function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Programs differ in which signs they escape, and in the case of the escapes. */
function urlSpellings(value: string): readonly string[] {
  const component = encodeURIComponent(value.toWellFormed());
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  const spellings = [component, strict, form, component.replaceAll("%20", "+"), strict.replaceAll("%2F", "/")];
  return spellings.flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]);
}

/** Every character escaped: `%6b`, `\x6b` and `\u006b`. */
function escapedSpellings(value: string): readonly string[] {
  const bytes = [...Buffer.from(value)].map((byte) => byte.toString(16).padStart(2, "0"));
  const units = value.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return [
    { prefix: "%", codes: bytes },
    { prefix: "\\x", codes: bytes },
    { prefix: "\\u", codes: units },
  ].flatMap(({ prefix, codes }) => [
    codes.map((code) => prefix + code).join(""),
    codes.map((code) => prefix + code.toUpperCase()).join(""),
  ]);
}

/** The characters of base64 that depend on the bytes only, if `position` other bytes stand before them. */
function base64At(bytes: Buffer, position: number): string {
  const text = Buffer.concat([Buffer.alloc(position), bytes, Buffer.alloc(2)]).toString("base64");
  return text.slice(Math.ceil((position * 8) / 6), Math.floor(((position + bytes.length) * 8) / 6));
}
