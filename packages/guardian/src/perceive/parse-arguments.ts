/**
 * Parses arguments that arrive as JSON text.
 * Text with numbers too long for a JavaScript number stays text: two different ids must not become equal.
 */
export function parseArguments(args: unknown): unknown {
  if (typeof args !== "string" || !/^\s*[[{]/.test(args) || /\d{16}/.test(args)) return args;
  try {
    return JSON.parse(args);
  } catch {
    return args; // cut off, or a shell command that begins with a brace
  }
}
