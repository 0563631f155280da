import type { CallPart } from "../protocol/messages.ts";
import { shortLine } from "../protocol/short-line.ts";
import type { Redact } from "../secrets/redact.ts";
import { redactDeep } from "../secrets/redact-deep.ts";

const MAX_CHARS = 500;
/** Longer values are cut after redaction; so much of each is enough for a summary. */
const MAX_VALUE_CHARS = 400;

/** The arguments of a call on one line for the audit trail: without secrets, control and hidden characters. */
export function inputSummary({ input, problem }: CallPart, redact: Redact): string {
  // before anything is cut, since a part of a secret is not recognised
  const safe = redactDeep(input ?? problem ?? "", redact);
  return shortLine(argumentText(safe), MAX_CHARS);
}

/** A single argument stands alone; several arguments get their names. */
function argumentText(input: unknown): string {
  if (typeof input !== "object" || input === null) return String(input);
  const entries = Object.entries(input);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return valueText(only[1]);
  return entries.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}
