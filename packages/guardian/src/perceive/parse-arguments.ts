/** Arguments often arrive as JSON text. Numbers too long for a number stay text: two ids must not become one. */
export function parseArguments(args: unknown): unknown {
  if (typeof args !== "string" || !/^\s*[[{]/.test(args) || /\d{16}/.test(args)) return args;
  try {
    return JSON.parse(args);
  } catch {
    return args; // cut off, or never JSON: a shell command may begin with a brace
  }
}
