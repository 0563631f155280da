import type { FlatCall } from "../flat-run.ts";

/** Tool and arguments as written: the order of keys counts. */
export function plainKey(call: FlatCall): string {
  return `${call.tool} ${JSON.stringify(call.args)}`;
}

/** Tool and arguments with keys sorted at every depth. */
export function stableKey(call: FlatCall): string {
  return `${call.tool} ${stable(call.args)}`;
}

/** A value as JSON with keys sorted at every depth. */
export function stable(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A result as text. */
export function resultText(call: FlatCall): string {
  return typeof call.result === "string" ? call.result : stable(call.result);
}
