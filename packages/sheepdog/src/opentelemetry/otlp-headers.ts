import type { Io } from "../io.ts";

/** The headers of the variables for all data and for traces, which go before them. */
export function headersFrom(env: Io["env"]): Readonly<Record<string, string>> {
  const lists = [env["OTEL_EXPORTER_OTLP_HEADERS"], env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"]];
  return Object.fromEntries(lists.flatMap((list = "") => readHeaders(list)));
}

/** Reads a list as `name=value,name=value` with percent-encoded values. */
export function readHeaders(list: string): readonly (readonly [name: string, value: string])[] {
  return list.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
}

/** A text without its percent-encoding. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a "%" that is not an escape
  }
}
