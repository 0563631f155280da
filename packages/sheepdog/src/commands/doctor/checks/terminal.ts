import type { Io } from "../../../io.ts";
import { supportsUtf8 } from "../../../render/terminal/can-draw.ts";
import { columnsOf, styleFor } from "../../../render/terminal/style.ts";
import { type Check, ok, warn } from "../finding.ts";

const narrow = 40;

/** What the terminal can show. */
export const terminalCheck: Check = {
  name: "terminal",
  async run({ io }) {
    if (io.stdout.isTTY !== true) return [ok("The output goes to no terminal: plain text, no questions.")];
    const width = columnsOf(io.stdout, io.env);
    const said = `${io.env["TERM"] || "no TERM"}, ${width} columns, ${hasColour(io) ? "colours" : "no colours"}, ${supportsUtf8(io.env) ? "signs of UTF-8" : "plain letters"}.`;
    if (io.env["TERM"] === "dumb") return [ok(`${said} On a dumb terminal chat is plain lines.`)];
    if (!supportsUtf8(io.env)) return [warn(`${said} The locale is not UTF-8.`, "Set one, e.g. LANG=C.UTF-8")];
    return [width < narrow ? warn(`${said} That is narrow.`, `Make it at least ${narrow} columns wide.`) : ok(said)];
  },
};

function hasColour({ stdout, env }: Io): boolean {
  return styleFor(stdout, env).bold("x") !== "x";
}
