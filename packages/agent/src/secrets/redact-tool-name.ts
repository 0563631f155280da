import type { Redact } from "./redact.ts";

/** A registered name stays as it is. A name that the model invented may hold anything, and is redacted. */
export function redactToolName(
  tool: string,
  { isRegistered, redact }: { readonly isRegistered: boolean; readonly redact: Redact },
): string {
  return isRegistered ? tool : redact(tool);
}
