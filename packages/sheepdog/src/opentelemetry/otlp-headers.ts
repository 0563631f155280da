import type { Io } from "../io.ts";
import { type OtlpSignal, variable } from "./settings.ts";

/** The headers of `OTEL_EXPORTER_OTLP_HEADERS`, as `name=value,name=value` with percent-encoded values. */
export function headersFrom(env: Io["env"], signal: OtlpSignal): Readonly<Record<string, string>> {
  const lists = ["OTEL_EXPORTER_OTLP_HEADERS", `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_HEADERS`];
  return Object.fromEntries(
    lists.flatMap((name) =>
      (variable(env, name) ?? "").split(",").flatMap((pair) => {
        const at = pair.indexOf("=");
        return at <= 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
      }),
    ),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a "%" that is not an escape
  }
}
