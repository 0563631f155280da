/** The exit codes of the process and their meaning. */
export const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "success"],
  ["1", "internal error, or the output cannot be written"],
  ["2", "wrong usage or configuration"],
  ["3", "the goal was not reached"],
  ["4", "a budget is used up"],
  ["5", "ended by the guardian; analyze --fail-on matched; gate test differs"],
  ["6", "turn limit or time limit reached"],
  ["7", "the provider failed or refused"],
  ["130", "interrupted (Ctrl-C); 143: terminated by the system"],
];

/** The exit codes as a part of a help text. */
export function exitCodesHelp(title: (text: string) => string): string {
  return [title("Exit codes:"), ...exitCodes.map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)].join("\n");
}
