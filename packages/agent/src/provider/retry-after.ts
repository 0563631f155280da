import { getField, getText } from "./field-access.ts";

/**
 * The wait that a response asks for: `retry-after-ms`, `retry-after` in seconds or as a date, or Google's `retryDelay`.
 * Returns undefined for zero, negative and unreadable values and for dates in the past.
 */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  const headers = getField(error, "responseHeaders");
  const retryAfter = readHeader(headers, "retry-after");
  return (
    toMs(readHeader(headers, "retry-after-ms"), 1) ??
    toMs(retryAfter, 1_000) ??
    msUntil(retryAfter, now) ??
    toMs(googleRetryDelay(error), 1_000)
  );
}

function googleRetryDelay(error: unknown): string {
  return /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(getText(error, "responseBody"))?.[1] ?? "";
}

function readHeader(headers: unknown, name: string): string {
  const get = getField(headers, "get");
  return typeof get === "function" ? String(get.call(headers, name) ?? "").trim() : getText(headers, name).trim();
}

function toMs(text: string, unitMs: number): number | undefined {
  const value = Number(text);
  return value > 0 && Number.isFinite(value) ? Math.ceil(value * unitMs) : undefined;
}

/** Only text with the name of a month is a date: `Date.parse` reads a bare number as a year. */
function msUntil(text: string, now: number): number | undefined {
  if (!/[a-z]{3}/i.test(text)) return undefined;
  const ms = Date.parse(text) - now;
  return ms > 0 ? ms : undefined;
}
