import { isSecretName } from "@sheepdog/guardian/secrets";

/** A longer text is cut in the middle: the end of a result often says most. */
const MAX_CHARS = 4_000;
const MAX_DEPTH = 8;
const MAX_ITEMS = 100;

export function cutText(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const half = MAX_CHARS / 2;
  return `${text.slice(0, half)}… (${text.length - MAX_CHARS} characters) …${text.slice(-half)}`;
}

/** The text of a result, however the agent structures it. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  const { stdout, stderr } = content as { readonly stdout?: unknown; readonly stderr?: unknown }; // checked here
  if (typeof stdout === "string" && typeof stderr === "string") return [stdout, stderr].filter(Boolean).join("\n");
  if (Array.isArray(content)) {
    const texts = content.flatMap((block: { readonly text?: unknown } | null) =>
      typeof block?.text === "string" ? [block.text] : [],
    );
    if (texts.length > 0) return texts.join("\n");
  }
  return JSON.stringify(content) ?? "";
}

/** Arguments with their secrets masked and long texts cut. */
export function maskedArgs(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return cutText(redact(value));
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => maskedArgs(item, redact, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(
    entries.map(([name, each]) => [
      redact(name),
      isSecretName(name) && !isLiteral(each) ? "…" : maskedArgs(each, redact, depth + 1),
    ]),
  );
}

/** Tells nothing, whatever it is called. */
function isLiteral(value: unknown): boolean {
  return value === null || value === "" || typeof value === "boolean";
}
