import { canDraw } from "../../../render/terminal/can-draw.ts";
import type { Style } from "../../../render/terminal/style.ts";
import { type Marks, marksFor } from "../../../render/timeline/marks.ts";

/** What things are drawn with. */
export interface ViewOptions {
  readonly style: Style;
  readonly columns: number;
  readonly rows: number;
  /** Those of the timeline. */
  readonly marks: Marks;
  /** What a terminal that knows no more than ASCII can show too. */
  readonly signs: Signs;
}

/** The few signs that are no letters. */
interface Signs {
  readonly bar: string;
  readonly dot: string;
  readonly prompt: string;
  readonly full: string;
  readonly empty: string;
}

const unicode: Signs = { bar: "│", dot: "·", prompt: "›", full: "█", empty: "░" };
const ascii: Signs = { bar: "|", dot: "-", prompt: ">", full: "#", empty: "." };

/** By the terminal and the language settings. */
export function signsFor(env: Readonly<Record<string, string | undefined>>): Pick<ViewOptions, "marks" | "signs"> {
  return { marks: marksFor(env), signs: canDraw(env) ? unicode : ascii };
}
