import { expect, test } from "vitest";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { pairingProblems } from "../run-checks.ts";
import * as guarantees from "./guarantees.ts";
import { effectsIn } from "./note-tools.ts";
import { processFixture } from "./process-fixture.ts";
import { resumeSession } from "./resumed-session.ts";
import { databaseIn, effectsFolder } from "./scenario.ts";

const { pathOf, start } = processFixture();

/** A process that is killed during a tool call of its subagent. */
async function killedInSubagent(folder: string) {
  const child = start("run", {
    folder,
    usesSubagent: true,
    hold: { at: "note: in the middle", until: pathOf("never") },
  });
  await child.until(({ holding }) => holding !== undefined);
  child.kill("SIGKILL");
  const { events } = await child.ended;
  const childId = events.flatMap((event) => (event.type === "ChildStarted" ? [event.childId] : []))[0] ?? "";
  return { observed: { events, reserved: [] }, childId, resumed: await resumeSession(folder, { subagents: true }) };
}

test("a process killed during a subagent leaves a call with unknown outcome, and does not repeat it", async () => {
  const folder = pathOf("unknown");
  const { observed, childId, resumed } = await killedInSubagent(folder);
  expect(resumed.after.runs.map(({ reason }) => reason)).toEqual(["answered"]);
  const { databaseIntact, callsPaired, nothingReportedIsLost, modelSeesUnknownOutcomes, runsEndOnce } = guarantees;
  expect(
    [databaseIntact, callsPaired, nothingReportedIsLost, modelSeesUnknownOutcomes, runsEndOnce].flatMap((guarantee) =>
      guarantee(observed, resumed),
    ),
  ).toEqual([]);
  expect([...effectsIn(effectsFolder(folder), childId).values()]).toEqual([1]);
});

test("a subagent that was killed with its parent ends when the parent is resumed", async () => {
  const folder = pathOf("ended");
  const { childId } = await killedInSubagent(folder);
  const stores = await sqliteStores({ path: databaseIn(folder) });
  const [{ messages, runs }, rows, events] = [
    await stores.sessions.load(childId),
    await stores.costs.rows(childId),
    await stores.events.after(childId, 0),
  ];
  await stores.close();
  expect(pairingProblems(messages)).toEqual([]);
  expect(runs.filter(({ state }) => state === "running")).toEqual([]);
  expect(rows.filter(({ state }) => state === "reserved")).toEqual([]);
  expect(events.filter(({ type }) => type === "RunComplete" || type === "RunError")).toHaveLength(1);
});
