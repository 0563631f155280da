/** What the process ends with, in words. */
export const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "done"],
  ["1", "something inside failed, or the output cannot be written"],
  ["2", "usage or configuration"],
  ["3", "the goal was given up"],
  ["4", "a budget is spent"],
  ["5", "ended by the guardian; of analyze: --fail-on is met"],
  ["6", "too many turns, or out of time"],
  ["7", "the provider failed or refused"],
  ["130", "interrupted (Ctrl-C); 143: asked to end by the system"],
];

/** The exit codes as a part of a help text. */
export function exitCodesHelp(title: (text: string) => string): string {
  return [title("Exit codes:"), ...exitCodes.map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)].join("\n");
}
