import { stat } from "node:fs/promises";
import { type Check, fail, ok, warn } from "../finding.ts";

const earliest = Date.UTC(2026, 0, 1);
const latest = Date.UTC(2100, 0, 1);
const toleranceMs = 300_000;

/** Checks whether the clock is plausible: costs are recorded, and prices looked up, by its time. */
export const clockCheck: Check = {
  name: "clock",
  async run({ home, now }) {
    const at = now();
    const time = `It is ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const fix = "Set the clock: the day and month budgets depend on it.";
    if (at < earliest || at > latest)
      return [fail(`${time} by the clock of this machine, which is not plausible.`, fix)];
    const writtenAt = (await stat(home.database).catch(() => undefined))?.mtimeMs ?? at;
    return [
      writtenAt > at + toleranceMs
        ? warn(`${time}, but the database was written later than that.`, fix)
        : ok(`${time}.`),
    ];
  },
};
