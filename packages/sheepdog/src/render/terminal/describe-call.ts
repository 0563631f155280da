import type { RecordedCall } from "@sheepdog/records";
import { plainText } from "./plain-text.ts";

const MAX_CHARS = 400;

/** A call on one short line: its tool and its arguments. */
export function describeCall(call: Pick<RecordedCall, "name" | "args">): string {
  return plainText(`${call.name} ${argumentText(call.args)}`.slice(0, MAX_CHARS));
}

/** A single argument stands alone; several arguments get their names. */
function argumentText(args: unknown): string {
  if (args === null || args === undefined) return "";
  if (typeof args !== "object" || Array.isArray(args)) return valueText(args);
  const entries = Object.entries(args);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return valueText(only[1]);
  return entries.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_CHARS) : (JSON.stringify(value) ?? "");
}
