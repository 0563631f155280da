import { findSecrets } from "./find-secrets.ts";

/** Replaces secrets by an ellipsis; the words around them stay. */
export function redactSecrets(text: string): string {
  const spans = findSecrets(text);
  if (spans.length === 0) return text;
  let redacted = "";
  let end = 0;
  for (const span of spans) {
    redacted += `${text.slice(end, span.start)}…`;
    end = span.end;
  }
  return redacted + text.slice(end);
}
