import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { echo, openTestHome, price } from "../../../test/test-home.ts";
import { unbilledStores } from "../demo/unbilled-stores.ts";
import { toolCosts } from "./tool-costs.ts";

const file = scratchFolder();
const look = (...texts: string[]) => ({ calls: texts.map((text) => ({ tool: "echo", input: { text } })) });
const same = { calls: [{ tool: "stubborn", input: {} }] };

describe("spending", () => {
  test("is shown for today, the month and by model, at list prices", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Look.", [look("a"), { text: "Done." }]);
    const month = new Date().toISOString().slice(0, 7);
    const { code, out, err } = await sheepdog("cost");
    expect([code, err]).toEqual([0, ""]);
    expect(out.split("\n")).toEqual([
      `Today $2.00, this month $2.00 (${month}, UTC).`,
      "",
      "MODEL      COST  REQUESTS  INPUT  OUTPUT",
      "scripted  $2.00         2  1.8 k     200",
      "total     $2.00         2  1.8 k     200",
      "",
      "These are list prices; with a plan or a discount you pay a different amount.",
      "",
    ]);
    expect(JSON.parse((await sheepdog("cost", "--json")).out)).toEqual({
      schemaVersion: 1,
      by: null,
      since: null,
      today: expect.objectContaining({ key: new Date().toISOString().slice(0, 10), costUsd: 2 }),
      month: expect.objectContaining({ key: month, costUsd: 2 }),
      models: [
        {
          key: "scripted",
          requests: 2,
          inputTokens: 1800,
          outputTokens: 200,
          unpricedTokens: 0,
          costUsd: 2,
          uncertainUsd: 0,
          estimatedRequests: 0,
        },
      ],
      purposes: [expect.objectContaining({ key: "turn", requests: 2, costUsd: 2 })],
      total: {
        key: "total",
        requests: 2,
        inputTokens: 1800,
        outputTokens: 200,
        unpricedTokens: 0,
        costUsd: 2,
        uncertainUsd: 0,
        estimatedRequests: 0,
      },
      reservedUsd: 0,
      unconfirmedUsd: 0,
      loops: { episodes: 0, unknown: 0, costUsd: 0 },
    });
    await close();
  });

  test("includes what loops have cost, which is unknown without a price, and marks estimated usage", async () => {
    const { runPrompt, stores, sheepdog, close } = await openTestHome(await file("home"));
    const stuck = Array.from({ length: 20 }, () => ({ calls: [{ tool: "stubborn", input: { target: "all" } }] }));
    await runPrompt("ses_a", "Make all.", stuck);
    expect(JSON.parse((await sheepdog("cost", "--json")).out).loops).toEqual({ episodes: 1, unknown: 0, costUsd: 7 });
    expect((await sheepdog("cost")).out).toContain("\nThe guardian noticed 1 loop. It cost $7.00.\n");
    await runPrompt("ses_b", "Make all.", stuck, { price: () => null });
    expect(JSON.parse((await sheepdog("cost", "--json")).out).loops).toEqual({ episodes: 2, unknown: 1, costUsd: 7 });
    expect((await sheepdog("cost")).out).toContain("This does not include 1 of them, whose cost is unknown.");
    await runPrompt("ses_demo_x", "Make all.", stuck);
    expect(JSON.parse((await sheepdog("cost", "--json")).out).loops.episodes).toBe(2);
    const usage = { input: 9000, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: true };
    const row = {
      id: "r",
      sessionId: "ses_c",
      runId: "run_c",
      model: "local",
      at: Date.now(),
      usage,
      costNanoUsd: 1e9,
    };
    const claim = await stores.sessions.claim("ses_c", { id: "p", pid: 1, host: "h" }, Date.now());
    if (!claim.ok) throw new Error("Expected the session to be free.");
    await stores.sessions.commit(claim.lease, { at: Date.now(), costs: [row] });
    const { out } = await sheepdog("cost");
    expect(out).toMatch(/\nlocal +~\$1\.00 /);
    expect(out).toContain("~ The provider did not report the tokens of 1 request; they are estimated.");
    await close();
  });

  test("is shown by purpose, if a second opinion was asked for", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const policy = { ...defaultPolicy, secondOpinion: "before-force" } as const;
    const stuck = Array.from({ length: 20 }, () => ({ calls: [{ tool: "stubborn", input: { target: "all" } }] }));
    await runPrompt("ses_a", "Make all.", stuck, { policy, price: (_, { input, output }) => input + output });
    const purposes: readonly { key: string; requests: number }[] = JSON.parse(
      (await sheepdog("cost", "--json")).out,
    ).purposes;
    expect(purposes.map(({ key }) => key)).toEqual(["turn", "opinion"]);
    const { sums } = JSON.parse((await sheepdog("cost", "--by", "purpose", "--json")).out);
    expect(sums).toEqual(purposes);
    expect((await sheepdog("cost")).out).toMatch(/\nPURPOSE .*\nturn .*\nopinion /);
    await close();
  });

  test("is summed by day, month, session and model", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Look.", [look("a"), { text: "Done." }]);
    await runPrompt("ses_b", "Say.", [{ text: "Done." }]);
    const sumsBy = async (by: string) =>
      JSON.parse((await sheepdog("cost", "--by", by, "--json")).out).sums.map(
        ({ key, costUsd }: { key: string; costUsd: number }) => [key, costUsd],
      );
    expect(await sumsBy("session")).toEqual([
      ["ses_a", 2],
      ["ses_b", 1],
    ]);
    expect(await sumsBy("day")).toEqual([[new Date().toISOString().slice(0, 10), 3]]);
    expect(await sumsBy("month")).toEqual([[new Date().toISOString().slice(0, 7), 3]]);
    expect(await sumsBy("model")).toEqual([["scripted", 3]]);
    expect((await sheepdog("cost", "--by", "session")).out).toMatch(/ses_a +Look\. +\$2\.00/);
    expect((await sheepdog("cost", "--by", "day", "--since", "2999-01-01")).err).toBe(
      "sheepdog: no money was spent since then\n",
    );
    await close();
  });

  test("is split over the tools of a turn, with unsaved sessions apart, and equals the ledger in total", async () => {
    const { runPrompt, sheepdog, stores, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Look.", [
      look("a", "b", "c"),
      { calls: [{ tool: "echo", input: { text: "d" } }, ...same.calls] },
      same,
      { text: "Done." },
    ]);
    await runPrompt("ses_b", "Say.", [{ text: "Done." }]);
    await stores.sessions.remove("ses_b", Date.now());
    const { sums, total } = JSON.parse((await sheepdog("cost", "--by", "tool", "--json")).out);
    expect(sums).toEqual([
      { key: "echo", requests: 2, unpricedTokens: 0, costUsd: 1.5 },
      { key: "stubborn", requests: 2, unpricedTokens: 0, costUsd: 1.5 },
      { key: "(answer)", requests: 1, unpricedTokens: 0, costUsd: 1 },
      { key: "(not saved)", requests: 1, unpricedTokens: 0, costUsd: 1 },
    ]);
    expect(total).toMatchObject({ requests: 5, costUsd: 5 });
    expect((await sheepdog("cost", "--by", "tool")).out).toContain(
      "The cost of a turn is split evenly over its calls.",
    );
    expect(await toolCosts(stores, { at: Date.now(), since: Date.now() + 1_000 })).toEqual([]);
    await close();
  });

  test("by tool equals the ledger, even if events contain more than was charged", async () => {
    const { runPrompt, sheepdog, stores, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Look.", [look("a"), { text: "Done." }], { stores: unbilledStores(stores) });
    await runPrompt("ses_b", "Look.", [look("b"), { text: "Done." }], { price: () => null });
    const { sums, total } = JSON.parse((await sheepdog("cost", "--by", "tool", "--json")).out);
    expect(sums).toEqual([
      { key: "(answer)", requests: 2, unpricedTokens: 1000, costUsd: null },
      { key: "echo", requests: 2, unpricedTokens: 1000, costUsd: null },
    ]);
    expect(total).toMatchObject({ requests: 4, unpricedTokens: 2000, costUsd: null });
    await close();
  });

  test("of subagents counts for their tools, and for the session of their parent", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const script = [
      { calls: [{ tool: "spawn", input: { task: "Count." } }] },
      look("sheep"),
      { text: "Seven." },
      { text: "There are seven." },
    ];
    await runPrompt("ses_a", "How many?", script, { subagents: true });
    const of = async (by: string) =>
      JSON.parse((await sheepdog("cost", "--by", by, "--json")).out).sums.map(
        ({ key, costUsd }: { key: string; costUsd: number }) => [key, costUsd],
      );
    expect(await of("session")).toEqual([["ses_a", 4]]);
    expect(await of("tool")).toEqual([
      ["(answer)", 2],
      ["echo", 1],
      ["spawn", 1],
    ]);
    await close();
  });

  test("of an unconfirmed request is listed, and settled by the user once", async () => {
    const { sheepdog, stores, close } = await openTestHome(await file("home"));
    const usage = { input: 1000, cacheRead: 0, cacheWrite: 0, output: 500, isEstimated: true };
    const at = Date.UTC(2026, 2, 1, 12);
    const row = { sessionId: "ses_b", runId: "run_b", model: "big", at, usage };
    expect((await sheepdog("cost", "--unconfirmed")).err).toBe(
      "sheepdog: no request is unconfirmed; one of a process on another machine is listed after an hour\n",
    );
    await stores.costs.reserve({ ...row, id: "req_123456", costNanoUsd: 4_800_000_000 }, {});

    const { out } = await sheepdog("cost", "--unconfirmed");
    expect(out).toMatch(/\nreq_123456 +2026-03-01 12:00 +ses_b +big +\$4\.80\n/);
    expect(out).toContain("the process ended before the request did");
    expect(JSON.parse((await sheepdog("cost", "--unconfirmed", "--json")).out)).toMatchObject({
      schemaVersion: 1,
      unconfirmed: [{ id: "req_123456", sessionId: "ses_b", model: "big", costUsd: 4.8 }],
      settled: [],
    });

    const settle = async (...argv: string[]) => {
      const { code, out, err } = await sheepdog("cost", "settle", ...argv);
      return [code, out + err];
    };
    expect(await settle("req_123456", "--yes")).toEqual([2, expect.stringContaining("--amount 0.12, or --zero")]);
    expect(await settle("req_123456", "--zero")).toEqual([2, expect.stringContaining("no terminal to ask on")]);
    expect(await settle("req_9", "--zero", "--yes")).toEqual([
      2,
      expect.stringContaining("no unconfirmed request req_9"),
    ]);
    expect(await settle("req_123456", "--amount", "much", "-y")).toEqual([2, expect.stringContaining("not an amount")]);
    expect(await settle("req_123456", "--amount", "0.12", "--yes")).toEqual([0, "req_123456: $4.80 becomes $0.120.\n"]);
    expect(await settle("req_123456", "--zero", "--yes")).toEqual([
      2,
      expect.stringContaining("no unconfirmed request"),
    ]);
    expect((await sheepdog("cost", "--unconfirmed")).out).toMatch(
      /No request is unconfirmed\.\n\nreq_123456 was settled with \$0\.120 \(before: \$4\.80\) by \S+/,
    );
    expect((await stores.costs.totals("ses_b", at)).session).toBe(120_000_000);
    await close();
  });

  test("shows tokens without a price, and uncertain amounts", async () => {
    const { runPrompt, sheepdog, stores, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Look.", [look("a"), { text: "Done." }], { price: () => null, tools: [echo] });
    const { out } = await sheepdog("cost");
    expect(out).toMatch(/scripted +\? /);
    expect(out).toContain(
      "2 k tokens have no known price and are not included. Set prices in [budget.pricing_overrides].",
    );
    expect(out).not.toContain("list prices");
    expect(JSON.parse((await sheepdog("cost", "--json")).out).total).toMatchObject({
      costUsd: null,
      unpricedTokens: 2000,
    });
    const usage = { input: 1000, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: true };
    await stores.costs.reserve(
      {
        id: "req_1",
        sessionId: "ses_b",
        runId: "run_b",
        model: "other",
        at: Date.now(),
        usage,
        costNanoUsd: price("other", usage),
      },
      {},
    );
    expect((await sheepdog("cost")).out).toContain(
      "$1.00 of it is uncertain. 1 request in progress has reserved $1.00.",
    );
    expect(JSON.parse((await sheepdog("cost", "--json")).out)).toMatchObject({
      today: { costUsd: null }, // a request in progress is not spent yet
      total: { costUsd: 1 },
    });
    await close();
  });
});
