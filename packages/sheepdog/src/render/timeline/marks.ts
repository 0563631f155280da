import { canDraw } from "../terminal/can-draw.ts";

/** Symbols of the timeline. */
export interface Marks {
  readonly good: string;
  readonly bad: string;
  readonly bar: string;
  readonly prompt: string;
  readonly more: string;
  /** Between facts on one line. */
  readonly dot: string;
  readonly times: string;
  /** Before the nodes that a node of a plan waits for. */
  readonly after: string;
  /** The frames of an animation. */
  readonly spinner: readonly string[];
}

const unicode: Marks = {
  good: "✓",
  bad: "✗",
  bar: "┃",
  prompt: "❯",
  more: "…",
  dot: "·",
  times: "×",
  after: "←",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};
const ascii: Marks = {
  good: "ok",
  bad: "x",
  bar: "|",
  prompt: ">",
  more: "...",
  dot: "-",
  times: "x",
  after: "<-",
  spinner: ["|", "/", "-", "\\"],
};

/** Unicode symbols, or ASCII if the terminal is dumb or does not support UTF-8. */
export function marksFor(env: Readonly<Record<string, string | undefined>>): Marks {
  return canDraw(env) ? unicode : ascii;
}
