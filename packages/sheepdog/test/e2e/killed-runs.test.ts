import { expect, test } from "vitest";
import { killRuns } from "./killed-runs.ts";
import { isBuilt } from "./sandbox.ts";

const count = Number(process.env["KILLS"] ?? 6);
const seed = Number(process.env["KILL_SEED"] ?? 12);

test.skipIf(!isBuilt)(
  `${count} killed runs continue with what they were started with (KILL_SEED=${seed})`,
  { timeout: 60_000 + count * 30_000 },
  async (context) => {
    const { problems, ...figures } = await killRuns(context, { count, seed });
    console.log(JSON.stringify({ ...figures, problems: problems.length }));
    expect(problems).toEqual([]);
    expect(figures.resumed).toBeGreaterThan(count / 2);
  },
);
