import { createHash } from "node:crypto";

const maxChars = 64;
const hashChars = 6;

/**
 * The name under which the model calls a tool: `<server>__<tool>`, 1 to 64 letters, digits, "_" or "-". A name that has
 * to be changed for that, or that looks as if it were, ends with a hash of the original, so that two tools never get
 * the same name by it. The prefix keeps every tool apart from built-in tools and from those of other servers.
 */
export function toolName(server: string, tool: string): string {
  const plain = `${server}__${tool}`;
  const looksHashed = /_[0-9a-f]{6}$/.test(tool);
  if (tool !== "" && plain.length <= maxChars && /^[A-Za-z0-9_-]+$/.test(plain) && !looksHashed) return plain;
  const hash = createHash("sha256").update(tool).digest("hex").slice(0, hashChars);
  const replaced = plain.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxChars - hashChars - 1);
  return `${replaced}_${hash}`;
}
