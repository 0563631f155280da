import { field, textField } from "./field-access.ts";

/**
 * How long a refused request should wait, where the response says so: `retry-after-ms`, `retry-after` in seconds or as a date, or Google's `retryDelay`.
 * Nonsense, no time, a negative one or a date gone by say nothing.
 */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  const headers = field(error, "responseHeaders");
  const ms = positive(header(headers, "retry-after-ms"), 1);
  if (ms !== undefined) return ms;
  const after = header(headers, "retry-after");
  return (
    positive(after, 1_000) ??
    untilDate(after, now) ??
    positive(/"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(textField(error, "responseBody"))?.[1] ?? "", 1_000)
  );
}

function header(headers: unknown, name: string): string {
  const value = field(headers, "get");
  return typeof value === "function" ? String(value.call(headers, name) ?? "").trim() : textField(headers, name).trim();
}

function positive(text: string, unitMs: number): number | undefined {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? Math.ceil(number * unitMs) : undefined;
}

/** Only text with a name of a month is a date: a bare number would be read as a year. */
function untilDate(text: string, now: number): number | undefined {
  if (!/[a-z]{3}/i.test(text)) return undefined;
  const wait = Date.parse(text) - now;
  return wait > 0 ? wait : undefined;
}
