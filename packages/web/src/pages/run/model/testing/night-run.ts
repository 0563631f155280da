import type { InterventionView, RunDetail, WhatIf, WireEvent } from "../../../../contract/index.ts";
import { eventBuilder } from "./event-builder.ts";
import { nightDetail, nightStep } from "./night-detail.ts";

/** A run for tests: what the API answers about it. */
export interface TestRun {
  readonly detail: RunDetail;
  readonly events: readonly WireEvent[];
  readonly whatIf: WhatIf;
}

const MIGRATE = { command: "npm run migrate" };
const ERROR = 'error: column "tenant_id" of relation "orders" contains null values';
const MIGRATION = "migrations/0042_add_tenant_id.sql";
const time = (text: string) => new Date(`2026-11-11T${text}`).getTime();
const clock = (at: number) => new Date(at).toTimeString().slice(0, 8);

/**
 * The night in which the same migration failed 212 times: hinted, warned, the user let it continue, the guardian only
 * watched until the mute was lifted, three refusals, and the end.
 */
export function nightRun(): TestRun {
  const run = eventBuilder("run_4c1fe20b", time("00:46:10"));
  const steps: InterventionView[] = [];
  const emitStep = (
    view: Partial<InterventionView> & Pick<InterventionView, "id" | "level" | "detector">,
    runUsd: number,
  ) => {
    const full = { ...nightStep(view), at: run.at, runUsd };
    const seq = run.emit({
      type: "GuardianIntervention",
      intervention: {
        ...{ id: full.id, level: full.level, count: full.count, message: full.message, isApplied: full.isApplied },
        ...{ detector: full.detector as "failing-call", effect: full.effect as "tell", call: 0, evidence: [] },
      },
    });
    steps.push({ ...full, seq });
    return full;
  };
  run.emit({
    type: "RunStarted",
    prompt:
      "Add `tenant_id` to `orders`, backfill it from the customer, make it `NOT NULL`, and run the migration. " +
      "Tests must pass.",
    limits: { "run-cost": { stop: 40e9 } },
  });
  let turn = 0;
  let tokens = 13_000;
  const nextTurn = (at: number, usd: number) => {
    run.moveTo(Math.max(run.at + 1_000, at));
    turn += 1;
    run.turn(turn);
    run.wait(4_000);
    run.cost(usd);
    tokens += turn < 38 ? 860 : 2_600;
    if (tokens > 170_000) {
      run.emit({ type: "ContextCompacted", before: tokens, after: 57_000, strategy: "summary" });
      tokens = 57_000;
    }
    run.context(tokens);
  };
  for (const [index, path] of [
    "migrations/0041_order_status.sql",
    "src/models/order.ts",
    "src/models/customer.ts",
  ].entries()) {
    nextTurn(time("00:46:30") + index * 30_000, 0.007 * (index + 1));
    run.call({ tool: "read", input: { path }, ms: 40, content: "…" });
    run.call({ tool: "read", input: { path: `${path}.bak` }, ms: 60, content: "…" });
  }
  nextTurn(time("00:49:30"), 0.05);
  run.call({
    tool: "bash",
    input: { command: "git log --oneline -5" },
    ms: 300,
    content: "a1b2c3 Orders\n[exit code 0]",
  });
  nextTurn(time("00:51:00"), 0.07);
  run.text(
    [
      "Every order has a `customer_id`, and every customer has a tenant. So:",
      "",
      "1. add `tenant_id`, nullable",
      "2. backfill it with one `UPDATE … FROM customers`",
      "3. set `NOT NULL` and add the foreign key",
    ].join("\n"),
  );
  nextTurn(time("00:52:00"), 0.08);
  run.call({
    tool: "write",
    input: { path: MIGRATION, content: "…" },
    diff: {
      path: MIGRATION,
      isCut: false,
      lines: [
        "ALTER TABLE orders ADD COLUMN tenant_id uuid;",
        "UPDATE orders o SET tenant_id = c.tenant_id",
        "  FROM customers c WHERE c.id = o.customer_id;",
        "ALTER TABLE orders ALTER COLUMN tenant_id SET NOT NULL;",
      ].map((text, index) => ({ sign: "+" as const, text, number: index + 1 })),
    },
  });
  const test = { tool: "bash", input: { command: "npm test -- orders" } };
  const testIds: string[] = [];
  for (let count = 1; count <= 3; count += 1) {
    nextTurn(time("00:54:00") + count * 50_000, 0.1 + count * 0.01);
    testIds.push(
      run.call({
        ...test,
        ms: 21_000,
        status: "error",
        content: "Cannot find module '../models/tenant.js'\n[exit code 1]",
      }),
    );
  }
  emitStep(
    {
      id: "e1/hint",
      level: "hint",
      detector: "failing-call",
      count: 3,
      callIds: testIds,
      followed: true,
      isRecovered: true,
    },
    0.13,
  );
  for (let index = 0; index < 15; index += 1) {
    nextTurn(time("00:58:00") + index * 50_000, 0.14 + index * 0.012);
    if (index === 2) run.emit({ type: "GuardianRecovered", episode: "e1" });
    if (index % 3 === 0)
      run.call({
        tool: "edit",
        input: { path: `src/models/order-${index}.ts`, old: "a", new: "b" },
        diff: {
          path: `src/models/order-${index}.ts`,
          isCut: false,
          lines: [
            { sign: " ", text: '  customerId: uuid("customer_id").notNull(),', number: 18 },
            { sign: "-", text: '  total: integer("total_cents"),', number: 19 },
            { sign: "+", text: '  tenantId: uuid("tenant_id").notNull(),', number: 19 },
            { sign: "+", text: '  total: integer("total_cents").notNull(),', number: 20 },
          ],
        },
      });
    else
      run.call({
        tool: "bash",
        input: { command: `npm test -- part-${index}` },
        ms: 9_000,
        content: "ok\n[exit code 0]",
      });
    if (index === 5) run.emit({ type: "JudgeVerdict", verdict: "continue" });
  }
  turn = Math.max(turn, 37);
  const usdAt = (count: number) => (count < 8 ? 0.32 + count * 0.032 : 0.58 + (count - 8) * 0.184);
  const migrateIds: string[] = [];
  const fail = (count: number, at: number) => {
    nextTurn(at, usdAt(count));
    const pid = 48_100 + count * 61;
    const ms = 66_000 + ((count * 37) % 40) * 50;
    migrateIds.push(
      run.call({
        tool: "bash",
        input: MIGRATE,
        ms,
        status: "error",
        content: [
          `[${clock(run.at)}] pid ${pid}`,
          "apply 0042_add_tenant_id",
          "backfill: 1,184 rows left",
          ERROR,
          `exit 1 after ${(ms / 1e3).toFixed(1)} s`,
        ].join("\n"),
      }),
    );
  };
  const loop = (level: InterventionView["level"], extra: Partial<InterventionView>, count: number) =>
    emitStep(
      {
        ...{
          id: `e2/${level}`,
          level,
          detector: "failing-call",
          count,
          callIds: migrateIds.slice(0, count),
          followed: false,
        },
        loopUsd: usdAt(count) - 0.31,
        message: [
          `This exact call to "bash" has failed ${count} times with the same error: ${JSON.stringify(ERROR)}.`,
          `It has cost $${(usdAt(count) - 0.31).toFixed(2)} so far. Unchanged it will fail again:`,
          "read the error, change what causes it, or take another way.",
        ].join(" "),
        ...extra,
      },
      usdAt(count),
    );
  for (let count = 1; count <= 212; count += 1) {
    fail(count, time("01:12:00") + (count - 1) * 92_100);
    if (count === 3) loop("hint", {}, 3);
    if (count === 4)
      loop(
        "warn",
        {
          opinion: {
            verdict: "stuck",
            advice: "1,184 orders have no customer, so the backfill can never fill them. Running it again cannot help.",
            model: "claude-haiku-4-5",
            costUsd: 0.002,
            skipped: null,
            problem: null,
          },
        },
        4,
      );
    if (count === 5) {
      const asked = loop("block", { effect: "deny" }, 5);
      run.emit({
        type: "QuestionAsked",
        question: {
          ...{ id: "q1", text: "The same command failed 5 times.", turns: turn, costNanoUsd: 0 },
          intervention: { id: asked.id } as never, // only its id is read
          ifContinued: {} as never, // not read
        },
      });
      run.wait(6_000);
      run.emit({ type: "QuestionAnswered", questionId: "q1", answer: "continue" });
      const last = steps.at(-1);
      if (last !== undefined)
        steps[steps.length - 1] = { ...last, answer: { answer: "continue", text: null, at: run.at } };
    }
    if (count === 8) loop("halt", { isApplied: false, effect: "stop" }, 8);
    if (count === 172)
      emitStep(
        {
          id: "e3/warn",
          level: "warn",
          detector: "run-cost",
          isLimit: true,
          message: "This run has used $32.00 of $40.00.",
        },
        32,
      );
    if (count % 14 === 0)
      run.emit({ type: "JudgeVerdict", verdict: "retry", reason: "The migration does not exit with 0." });
    if (count > 8 && count < 212) {
      nextTurn(run.at, usdAt(count) + 0.05);
      run.text("The backfill may simply need another pass.");
      const [input, content] =
        count % 5 < 2
          ? [{ path: MIGRATION }, "ALTER TABLE …"]
          : [{ command: 'psql -c "select count(*) from orders where tenant_id is null"' }, "1184\n[exit code 0]"];
      if (count % 5 === 4)
        run.call({ tool: "edit", input: { path: MIGRATION, old: `-- ${count}`, new: "" }, ms: 40, content: "Edited." });
      else run.call({ tool: "path" in input ? "read" : "bash", input, ms: 400, content });
    }
  }
  run.moveTo(time("06:36:50"));
  const refusal = "Refused by the guardian, not run. The same call has failed 212 times.";
  for (let count = 1; count <= 3; count += 1) {
    nextTurn(time("06:36:50") + count * 50_000, 38.12 + count * 0.026);
    run.refuse("bash", MIGRATE, refusal);
    if (count === 1) loop("block", { id: "e2/block2", effect: "deny", callIds: migrateIds }, 212);
  }
  run.moveTo(time("06:40:20"));
  loop("halt", { id: "e2/halt2", effect: "stop", callIds: migrateIds, followed: null }, 215);
  const text = [
    "It was refused 3 times and made again. The run is ended here.",
    "",
    "- **Done:** column added, model and 6 tests changed, all tests pass.",
    "- **Failed:** `NOT NULL` on `orders.tenant_id`: 1,184 orders have no customer.",
    "- **Next:** say what those orders should get, then resume.",
  ].join("\n");
  run.emit({
    type: "RunError",
    result: {
      ...{
        sessionId: "ses_7f3a91c2",
        runId: "run_4c1fe20b",
        state: "error",
        reason: "tool_failures",
        exitCode: 5,
        text,
        turns: turn,
      },
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, isEstimated: false },
      costNanoUsd: 38.2e9,
      interventions: [],
    },
  });
  const loopSteps = steps.filter(({ episode }) => episode === "e2");
  return {
    events: run.events,
    whatIf: {
      defaultCount: 8,
      points: Array.from({ length: 12 }, (_, index) => index + 3).map((count) => ({
        ...{ count, seq: null, at: time("01:12:00") + count * 92_000, turn: 40 + count, detector: "failing-call" },
        costUsd: usdAt(count),
        savedUsd: 38.2 - usdAt(count),
      })),
    },
    detail: nightDetail(run.events, steps, loopSteps.length > 0 ? 37.81 : 0),
  };
}
