import { createHash } from "node:crypto";
import { isObject, type Json } from "./json.ts";

/** How many characters of a cut text are replaced by a mark with the hash of the whole text. */
const markSpace = 40;

/** Cuts a text at this many characters (Unicode code points). Equal results mean equal texts. */
export function cutText(text: string, limit: number): string {
  const characters = charactersAbove(text, limit);
  if (characters === undefined) return text;
  const kept = characters.slice(0, limit - markSpace);
  return `${kept.join("")}…[+${characters.length - kept.length} chars #${sha1(text).slice(0, 12)}]`;
}

/** Cuts every text in a value. The mark is shorter than the one of `cutText` and has more of the hash. */
export function cutTextsIn(value: Json, limit: number): Json {
  if (typeof value === "string") return cutArgument(value, limit);
  if (Array.isArray(value)) return value.map((item: Json) => cutTextsIn(item, limit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTextsIn(item, limit)]));
}

/** The first characters of a text, counted in code points. */
export function firstCharacters(text: string, count: number): string {
  return charactersAbove(text, count)?.slice(0, count).join("") ?? text;
}

/** The last characters of a text, counted in code points. */
export function lastCharacters(text: string, count: number): string {
  return charactersAbove(text, count)?.slice(-count).join("") ?? text;
}

/** The text with a question mark in place of each half of a broken surrogate pair, which UTF-8 cannot encode. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "?");
}

function cutArgument(text: string, limit: number): string {
  const characters = charactersAbove(text, limit);
  if (characters === undefined) return text;
  return `${characters.slice(0, limit - markSpace).join("")}…#${sha1(text).slice(0, 16)}`;
}

/** The code points of a text that has more of them than `limit`; undefined for a shorter text. */
function charactersAbove(text: string, limit: number): readonly string[] | undefined {
  if (text.length <= limit) return undefined; // a code point is one or two units of `length`
  const characters = Array.from(text);
  return characters.length > limit ? characters : undefined;
}

function sha1(text: string): string {
  return createHash("sha1").update(wellFormed(text)).digest("hex");
}
