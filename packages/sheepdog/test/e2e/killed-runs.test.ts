import { expect, test } from "vitest";
import { killRuns } from "./killed-runs.ts";
import { isBuilt } from "./sandbox.ts";

const count = Number(process.env["KILLS"] ?? 10);
const seed = Number(process.env["KILL_SEED"] ?? 12);
/** Checks the ledger too, under a limit for the month that leaves no room for reservations of the dead. */
const hasLedgerCheck = process.env["KILL_LEDGER"] === "1";

test.skipIf(!isBuilt)(
  `${count} killed runs continue with what they were started with (KILL_SEED=${seed})`,
  { timeout: 60_000 + count * 30_000 },
  async (context) => {
    const { problems, ledgerProblems, ...figures } = await killRuns(context, {
      count,
      seed,
      hasMonthLimit: hasLedgerCheck,
    });
    console.log(JSON.stringify({ ...figures, problems: problems.length, ledgerProblems }, undefined, 1));
    expect(problems).toEqual([]);
    if (hasLedgerCheck) expect(ledgerProblems).toEqual([]);
    expect(figures.resumed).toBeGreaterThan(count / 2);
  },
);
