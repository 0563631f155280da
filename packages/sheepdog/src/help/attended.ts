const lines: readonly string[] = [
  "At a terminal you are asked before a call that needs approval, before a",
  "repeated call is refused, and before the guardian or the limit of turns or",
  "time ends the run: stop, continue, or tell the agent something. With",
  "--unattended, --json or without a terminal, nothing is asked: it is refused",
  "or ended. The counts are the same: a hint at 3 equal calls, a warning at 4,",
  "a refusal at 5, the end at 8.",
];

/** What an attended run asks about, as a part of a help text. */
export function attendedHelp(title: (text: string) => string): string {
  return [title("Attended runs:"), ...lines.map((line) => `  ${line}`)].join("\n");
}
