import { expect, test } from "vitest";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { pairing } from "../oracle.ts";
import * as promises from "./guarantees.ts";
import { effectsIn } from "./note-tools.ts";
import { processFixture } from "./process-fixture.ts";
import { resumeSession } from "./resumed-session.ts";
import { databaseIn, effectsFolder } from "./scenario.ts";

const { pathOf, start } = processFixture();

/** A process that was killed while its subagent was in a tool. */
async function killedInSubAgent(folder: string) {
  const child = start("work", {
    folder,
    isSpawning: true,
    hold: { at: "note: in the middle", until: pathOf("never") },
  });
  await child.until(({ holding }) => holding !== undefined);
  child.kill("SIGKILL");
  const { events } = await child.ended;
  const childId = events.flatMap((event) => (event.type === "ChildStarted" ? [event.childId] : []))[0] ?? "";
  return { witness: { events, reserved: [] }, childId, finished: await resumeSession(folder, { subagents: true }) };
}

test("a process killed while a subagent works leaves a call whose outcome is unknown, and the subagent is not started again unasked", async () => {
  const folder = pathOf("unknown");
  const { witness, childId, finished } = await killedInSubAgent(folder);
  expect(finished.after.runs.map(({ reason }) => reason)).toEqual(["answered"]);
  const { databaseIntact, callsPaired, nothingReportedIsLost, modelSeesUnknownOutcomes, runsEndOnce } = promises;
  expect(
    [databaseIntact, callsPaired, nothingReportedIsLost, modelSeesUnknownOutcomes, runsEndOnce].flatMap((promised) =>
      promised(witness, finished),
    ),
  ).toEqual([]);
  expect([...effectsIn(effectsFolder(folder), childId).values()]).toEqual([1]);
});

test("a subagent that was killed with its parent has an end once its parent has gone on", async () => {
  const folder = pathOf("ended");
  const { childId } = await killedInSubAgent(folder);
  const stores = await sqliteStores({ path: databaseIn(folder) });
  const [{ messages, runs }, rows, events] = [
    await stores.sessions.load(childId),
    await stores.costs.rows(childId),
    await stores.events.after(childId, 0),
  ];
  await stores.close();
  expect(pairing(messages)).toEqual([]);
  expect(runs.filter(({ state }) => state === "running")).toEqual([]);
  expect(rows.filter(({ state }) => state === "reserved")).toEqual([]);
  expect(events.filter(({ type }) => type === "RunComplete" || type === "RunError")).toHaveLength(1);
});
