import type { Output } from "../../io.ts";

type Paint = (text: string) => string;

/** How emphasis is shown; where there is no colour, every paint gives the text back as it is. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

/** Colours for a terminal, or wherever FORCE_COLOR asks for them; none when piped, with NO_COLOR, or where the terminal is dumb. */
export function styleFor(output: Output, env: Readonly<Record<string, string | undefined>>): Style {
  const isAsked = env["FORCE_COLOR"] !== undefined && !["", "0", "false"].includes(env["FORCE_COLOR"]);
  const hasColour = !env["NO_COLOR"] && (isAsked || (output.isTTY === true && env["TERM"] !== "dumb"));
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

/** The columns to use: the terminal's, else the environment's, else 80. */
export function columnsOf(output: Output, env: Readonly<Record<string, string | undefined>>): number {
  const columns = output.columns ?? Number(env["COLUMNS"]);
  return Number.isInteger(columns) && columns > 0 ? Math.max(columns, 20) : 80;
}
