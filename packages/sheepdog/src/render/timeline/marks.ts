import { canDraw } from "../terminal/can-draw.ts";

/** Signs that a terminal can show. */
export interface Marks {
  readonly good: string;
  readonly bad: string;
  readonly bar: string;
  readonly prompt: string;
  readonly more: string;
}

const drawn: Marks = { good: "✓", bad: "✗", bar: "┃", prompt: "❯", more: "…" };
const typed: Marks = { good: "ok", bad: "x", bar: "|", prompt: ">", more: "..." };

/** Plain letters where the terminal is dumb or does not speak UTF-8. */
export function marksFor(env: Readonly<Record<string, string | undefined>>): Marks {
  return canDraw(env) ? drawn : typed;
}
