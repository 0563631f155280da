import type { Io } from "../../io.ts";
import { supportsUtf8 } from "../../render/terminal/can-draw.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Check, ok, warn } from "../finding.ts";

const MIN_COLUMNS = 40;

/** Checks what the terminal can show. */
export const terminalCheck: Check = {
  name: "terminal",
  async run({ io }) {
    if (io.stdout.isTTY !== true) return [ok("The output is not a terminal: plain text, no questions.")];
    const width = columnsOf(io.stdout, io.env);
    const colours = hasColour(io) ? "colours" : "no colours";
    const characters = supportsUtf8(io.env) ? "UTF-8" : "ASCII";
    const summary = `${io.env["TERM"] || "no TERM"}, ${width} columns, ${colours}, ${characters}.`;
    if (io.env["TERM"] === "dumb") return [ok(`${summary} On a dumb terminal, chat prints plain lines.`)];
    if (!supportsUtf8(io.env))
      return [warn(`${summary} The locale is not UTF-8.`, "Set a UTF-8 locale, e.g. LANG=C.UTF-8")];
    return [
      width < MIN_COLUMNS
        ? warn(`${summary} This is narrow.`, `Make it at least ${MIN_COLUMNS} columns wide.`)
        : ok(summary),
    ];
  },
};

function hasColour({ stdout, env }: Io): boolean {
  return styleFor(stdout, env).bold("x") !== "x";
}
