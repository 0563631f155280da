import type { Output } from "../../io.ts";

type Paint = (text: string) => string;

/** Functions that add colour or weight to a text. Without colours, each returns the text unchanged. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

/** Colours for a terminal or with FORCE_COLOR; none in a pipe, with NO_COLOR or with `TERM=dumb`. */
export function styleFor(output: Output, env: Readonly<Record<string, string | undefined>>): Style {
  const isForced = env["FORCE_COLOR"] !== undefined && !["", "0", "false"].includes(env["FORCE_COLOR"]);
  const hasColour = !env["NO_COLOR"] && (isForced || (output.isTTY === true && env["TERM"] !== "dumb"));
  const paint = (on: number, off: number): Paint =>
    hasColour ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** The width in columns: of the terminal, else from `COLUMNS`, else 80. */
export function columnsOf(output: Output, env: Readonly<Record<string, string | undefined>>): number {
  const columns = output.columns ?? Number(env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? Math.max(columns, 20) : 80;
}

/** The width at which messages wrap, in columns: that of the terminal; in a file or a pipe, lines stay whole. */
export function wrapColumnsOf(output: Output, env: Readonly<Record<string, string | undefined>>): number {
  return output.isTTY === true ? columnsOf(output, env) : Number.POSITIVE_INFINITY;
}
