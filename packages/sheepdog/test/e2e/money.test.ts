import { describe, expect, test } from "vitest";
import { dollars } from "../../src/render/terminal/amounts.ts";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

/** Nano-dollars per token of the sandbox's model, which is claude-sonnet-4-5. */
const price = { input: 3_000, cacheWrite: 3_750, output: 15_000 };
const model = ["-m", "anthropic:claude-sonnet-4-5"];

const json = async ({ run }: Sandbox, ...args: string[]) => JSON.parse((await run([...args, "--json"])).out);

describe.skipIf(!isBuilt)("requests of killed processes", () => {
  test("count with what they can have used, and do not refuse the next run", async (context) => {
    const kills = 6;
    const sandbox = await createSandbox(context, [], ({ index }) =>
      index < kills ? { text: "word ".repeat(2_000), deltaDelayMs: 20, deltaChars: 40 } : { text: "Done." },
    );
    await sandbox.configure("[budget]\nmonthly_limit_cents = 200\n");
    let sentNanoUsd = 0;
    for (let index = 0; index < kills; index += 1) {
      const running = sandbox.start(["run", ...model, "--stream-json", `Write ${index}.`]);
      await running.says('"TextDelta"');
      running.child.kill("SIGKILL");
      const { out } = await running.ended;
      const words = [...out.matchAll(/"type":"TextDelta","text":"([^"]*)"/g)].map(([, text = ""]) => text).join("");
      const inputTokens = (sandbox.server.requests[index]?.text.length ?? 0) / 6; // at least
      sentNanoUsd += inputTokens * price.input + (words.length / 5) * price.output;
    }
    // Of each, the largest input and the nine thousand tokens that three seconds are reckoned with, and one second.
    const possibleNanoUsd = kills * (20_000 * price.cacheWrite + 15_000 * price.output);

    const budget = await json(sandbox, "budget");
    const cost = await json(sandbox, "cost");
    const { unconfirmed } = await json(sandbox, "cost", "--unconfirmed");
    const [{ spentUsd }] = budget.limits;
    expect(spentUsd * 1e9).toBeGreaterThanOrEqual(sentNanoUsd);
    expect(spentUsd * 1e9).toBeLessThanOrEqual(possibleNanoUsd);
    expect(budget).toMatchObject({ reservedUsd: 0, unconfirmedUsd: spentUsd, running: [] });
    expect(cost).toMatchObject({
      month: { costUsd: spentUsd },
      total: { costUsd: spentUsd, uncertainUsd: spentUsd },
      reservedUsd: 0,
      unconfirmedUsd: spentUsd,
    });
    expect(unconfirmed).toHaveLength(kills);
    const amount = dollars(spentUsd);
    const sentence = `6 requests ended with their process and count with ${amount}, the most that was possible.`;
    for (const command of ["budget", "cost", "doctor"])
      expect((await sandbox.run([command])).out.replaceAll(/\s+/g, " "), command).toContain(sentence);

    const pruned = await json(sandbox, "prune", "--yes", "--older-than", "0d", "--with-unfinished");
    expect(pruned.sessions).toHaveLength(kills);
    expect((await json(sandbox, "budget")).unconfirmedUsd).toBe(spentUsd);
    expect(await sandbox.run(["run", ...model, "Answer."])).toMatchObject({ code: 0, out: "Done.\n" });
    expect((await json(sandbox, "budget")).unconfirmedUsd).toBe(spentUsd);
  }, 180_000);
});

describe.skipIf(!isBuilt).concurrent("a request that a limit does not cover is not sent", () => {
  test.for<readonly [string, readonly string[], string, RegExp]>([
    ["run", ["--max-cost", "0.001"], "", /This run has used \$0\.00 of \$0\.0010\./],
    ["run tokens", ["--max-run-tokens", "1000"], "", /This run has used 0 of 1,000 tokens\./],
    ["session", [], "per_session_limit_cents = 1", /This session has used \$0\.00 of \$0\.01\./],
    ["day", [], "per_day_limit_cents = 1", /The runs of today have used \$0\.00 of \$0\.01\./],
    ["month", [], "monthly_limit_cents = 1", /The runs of this month have used \$0\.00 of \$0\.01\./],
  ])("by the limit of a %s", async ([, flags, setting, spent], context) => {
    const sandbox = await createSandbox(context, [], { text: "Done." });
    await sandbox.configure(`[budget]\n${setting}\n`);
    const { code, out, err } = await sandbox.run(["run", ...model, ...flags, "Say hello."]);
    const sentence = err.replaceAll(/\s+/g, " ");
    expect([code, out]).toEqual([4, ""]);
    expect(sentence).toMatch(spent);
    expect(sentence).toMatch(/The next request is estimated at (\$0\.\d+|[\d,]+ tokens), so it was not sent\./);
    expect(sandbox.server.requests).toHaveLength(0);
  });
});
