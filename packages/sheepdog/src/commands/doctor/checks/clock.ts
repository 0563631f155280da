import { stat } from "node:fs/promises";
import { type Check, fail, ok, warn } from "../finding.ts";

const released = Date.UTC(2026, 0, 1);
const latest = Date.UTC(2100, 0, 1);
const ahead = 300_000;

/** Whether the clock can be right: costs are booked by it, and prices looked up. */
export const clockCheck: Check = {
  name: "clock",
  async run({ home, now }) {
    const at = now();
    const said = `It is ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const fix = "Set the clock: limits of a day and a month are counted by it.";
    if (at < released || at > latest) return [fail(`${said} by this machine's clock, which cannot be.`, fix)];
    const written = (await stat(home.database).catch(() => undefined))?.mtimeMs ?? at;
    return [
      written > at + ahead ? warn(`${said}, but the database was written later than that.`, fix) : ok(`${said}.`),
    ];
  },
};
