import { canDraw } from "../../../render/terminal/can-draw.ts";
import type { Style } from "../../../render/terminal/style.ts";
import { type Marks, marksFor } from "../../../render/timeline/marks.ts";

/** How a chat is drawn. */
export interface ViewOptions {
  readonly style: Style;
  readonly columns: number;
  readonly rows: number;
  /** The symbols of the timeline. */
  readonly marks: Marks;
  /** The symbols of the chat itself. */
  readonly symbols: ChatSymbols;
}

interface ChatSymbols {
  readonly bar: string;
  readonly dot: string;
  readonly prompt: string;
}

const unicode: ChatSymbols = { bar: "│", dot: "·", prompt: "›" };
const ascii: ChatSymbols = { bar: "|", dot: "-", prompt: ">" };

/** Unicode symbols, or ASCII if the terminal is dumb or does not support UTF-8. */
export function symbolsFor(env: Readonly<Record<string, string | undefined>>): Pick<ViewOptions, "marks" | "symbols"> {
  return { marks: marksFor(env), symbols: canDraw(env) ? unicode : ascii };
}
