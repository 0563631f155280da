import { expect, test } from "vitest";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { pairingProblems } from "../run-checks.ts";
import * as guarantees from "./guarantees.ts";
import { requestNanoUsd } from "./jobs/spend.ts";
import { effectsIn } from "./note-tools.ts";
import { processFixture } from "./process-fixture.ts";
import type { ReportFilter } from "./processes.ts";
import { resumeSession } from "./resumed-session.ts";
import { databaseIn, effectsFolder, openScenario, session } from "./scenario.ts";

const { pathOf, start, createFile } = processFixture();

test("thirty processes resume thirty sessions of one database at the same time, and none fails", {
  timeout: 120_000,
}, async () => {
  const folder = pathOf("thirty");
  const sessions = Array.from({ length: 30 }, (_, n) => `ses_${n}`);
  const first = start("run", { folder, sessions, hold: { at: "note: in the middle", until: pathOf("never") } });
  await first.until(({ holding }) => holding !== undefined, 60); // two notes in each session
  first.kill("SIGKILL");
  expect((await first.ended).signal).toBe("SIGKILL");

  const children = sessions.map((id) => start("run", { folder, sessions: [id], waitFor: pathOf("thirty-go") }));
  await Promise.all(children.map(({ until }) => until(({ waiting }) => waiting !== undefined)));
  createFile(pathOf("thirty-go"));
  const ended = await Promise.all(children.map((child) => child.ended));
  expect(ended.map(({ code, stderr, reports }) => [code, stderr, reports.at(-1)?.reason])).toEqual(
    sessions.map(() => [0, "", "answered"]),
  );

  const stores = await sqliteStores({ path: databaseIn(folder) });
  const effects = sessions.flatMap((id) => [...effectsIn(effectsFolder(folder), id).values()]);
  expect(effects).toEqual(Array.from({ length: 90 }, () => 1));
  for (const id of sessions) {
    const { messages, runs } = await stores.sessions.load(id);
    expect(pairingProblems(messages)).toEqual([]);
    expect(messages.flatMap((message) => (message.role === "tool" ? [message.status] : []))).toEqual([
      "interrupted",
      "interrupted",
      "ok",
      "ok",
    ]);
    expect(runs.map(({ state }) => state)).toEqual(["completed"]);
    const rows = await stores.costs.rows(id);
    expect(rows.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
    expect((await stores.costs.totals(id, Date.now())).session).toBe(
      rows.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0),
    );
    const ends = (await stores.events.after(id, 0)).filter(({ type }) => type === "RunComplete" || type === "RunError");
    expect(ends.map(({ type }) => type)).toEqual(["RunComplete"]);
  }
  await stores.close();
});

test("four processes spend the month's budget up to what another request needs, and not more", {
  timeout: 60_000,
}, async () => {
  const folder = pathOf("month");
  await (await openScenario(folder)).runtime.stores.close();
  const limitNanoUsd = 40 * requestNanoUsd;
  const sessions = ["ses_a", "ses_b", "ses_c", "ses_d"];
  const waitFor = pathOf("month-go");
  const children = sessions.map((sessionId) => start("spend", { folder, sessionId, waitFor, limitNanoUsd }));
  await Promise.all(children.map(({ until }) => until(({ waiting }) => waiting !== undefined)));
  createFile(waitFor);
  const ended = await Promise.all(children.map((child) => child.ended));
  expect(ended.map(({ code, stderr, reports }) => [code, stderr, reports.at(-1)?.reason])).toEqual(
    sessions.map(() => [0, "", "month_budget"]),
  );

  const stores = await sqliteStores({ path: databaseIn(folder) });
  const rows = (await Promise.all(sessions.map((id) => stores.costs.rows(id)))).flat();
  const paid = rows.filter(({ costNanoUsd }) => costNanoUsd !== 0);
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["settled"]));
  expect(new Set(paid.map(({ costNanoUsd }) => costNanoUsd))).toEqual(new Set([requestNanoUsd]));
  const spent = paid.length * requestNanoUsd;
  expect(spent).toBeLessThanOrEqual(limitNanoUsd);
  expect(spent).toBeGreaterThan(limitNanoUsd - 4 * requestNanoUsd); // the last process runs alone
  expect((await stores.costs.totals("ses_a", Date.now())).month).toBe(spent);
  expect(
    (await stores.costs.sums("month")).map(({ costNanoUsd, uncertainNanoUsd }) => [costNanoUsd, uncertainNanoUsd]),
  ).toEqual([[spent, 0]]);
  expect(ended.reduce((sum, { reports }) => sum + Number(reports.at(-1)?.["turns"]), 0)).toBe(paid.length);
  await stores.close();
});

test("a second process is refused with the pid of the holder, and takes the session over after a kill", async () => {
  const folder = pathOf("fight");
  const holder = start("run", { folder, hold: { at: "note: in the middle", until: pathOf("never") } });
  await holder.until(({ holding }) => holding !== undefined);

  const { runtime } = await openScenario(folder);
  const refused = await (await runtime.resume(session)).result;
  expect(refused).toMatchObject({
    reason: "internal_error",
    problem: expect.stringMatching(new RegExp(`in use by process ${holder.pid} on `)),
  });
  const another = await runtime.run(session, "Something else.").result;
  expect(another).toMatchObject({ reason: "internal_error", problem: expect.stringContaining(String(holder.pid)) });
  const { runs, messages } = await runtime.stores.sessions.load(session);
  expect([runs.length, messages.length, runs[0]?.state]).toEqual([1, 2, "running"]); // nothing from refused runs
  await runtime.stores.close();

  holder.kill("SIGKILL");
  const killed = await holder.ended;
  const resumed = await resumeSession(folder);
  const observed = { events: killed.events, reserved: killed.reports.flatMap(({ reserved }) => reserved ?? []) };
  const checks = [
    guarantees.databaseIntact,
    guarantees.callsPaired,
    guarantees.nothingReportedIsLost,
    guarantees.callsRunOnce,
    guarantees.modelSeesUnknownOutcomes,
    guarantees.runsEndOnce,
    guarantees.endsAsWithoutCrash,
  ];
  expect(checks.flatMap((guarantee) => guarantee(observed, resumed))).toEqual([]);
});

test("of eight processes that resume one session at the same time, one does and seven are refused with its pid", {
  timeout: 60_000,
}, async () => {
  const folder = pathOf("eight");
  const first = start("run", { folder, hold: { at: "note: in the middle", until: pathOf("never") } });
  await first.until(({ holding }) => holding !== undefined);
  first.kill("SIGKILL");
  const killed = await first.ended;
  const input = { folder, waitFor: pathOf("eight-go"), hold: { at: "request: before", until: pathOf("eight-on") } };
  const children = Array.from({ length: 8 }, () => start("run", input));
  await Promise.all(children.map(({ until }) => until(({ waiting }) => waiting !== undefined)));
  createFile(pathOf("eight-go"));
  await Promise.all(
    children.map(({ until }) => until(({ holding, reason }) => holding !== undefined || reason !== undefined)),
  );
  createFile(pathOf("eight-on")); // seven have ended, and one was waiting
  const ended = await Promise.all(children.map((child) => child.ended));
  const winner = ended.findIndex(({ reports }) => reports.at(-1)?.reason === "answered");
  const refusal = expect.stringContaining(`in use by process ${children[winner]?.pid} on `);
  expect(ended.map(({ code, stderr, reports }) => [code, stderr, reports.at(-1)?.reason])).toEqual(
    ended.map((_, n) => [0, "", n === winner ? "answered" : refusal]),
  );
  const reservations = ended.flatMap(({ reports }) => reports.filter(({ reserved }) => reserved !== undefined));
  expect(reservations).toHaveLength(2); // the two remaining turns

  const resumed = await resumeSession(folder);
  const observed = { events: [...killed.events, ...ended.flatMap(({ events }) => events)], reserved: [] };
  expect(
    [
      guarantees.databaseIntact,
      guarantees.callsPaired,
      guarantees.callsRunOnce,
      guarantees.runsEndOnce,
      guarantees.endsAsWithoutCrash,
    ].flatMap((guarantee) => guarantee(observed, resumed)),
  ).toEqual([]);
});

test("a run waits while another process holds the lock, with a free event loop, and continues after the release", {
  timeout: 60_000,
}, async () => {
  const folder = pathOf("locked");
  const worker = start("run", {
    folder,
    isTicking: true,
    hold: { at: "note: in the middle", until: pathOf("noted") },
  });
  await worker.until(({ holding }) => holding !== undefined);
  const locker = start("lock", { folder, until: pathOf("unlocked") });
  await locker.until(({ locked }) => locked !== undefined);
  createFile(pathOf("noted"));
  await worker.until(({ event }) => event?.type === "ToolEnd", 2); // next, it commits the results
  const isTick: ReportFilter = ({ tick }) => tick !== undefined;
  await worker.until(isTick, worker.count(isTick) + 150); // at least three seconds
  expect(worker.count(({ event }) => event?.type === "TurnComplete")).toBe(0);
  createFile(pathOf("unlocked"));
  expect((await locker.ended).code).toBe(0);
  const ended = await worker.ended;
  expect([ended.code, ended.stderr, ended.reports.at(-1)?.reason]).toEqual([0, "", "answered"]);
});
