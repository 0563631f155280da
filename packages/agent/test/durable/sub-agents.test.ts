import { expect, test } from "vitest";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { pairing } from "../oracle.ts";
import { finish } from "./finish.ts";
import { effectsIn } from "./note-tools.ts";
import * as promises from "./promises.ts";
import { databaseIn, effectsFolder } from "./scenario.ts";
import { workplace } from "./workplace.ts";

const { place, start } = workplace();

test("a process killed while a sub-agent works leaves a call whose outcome is unknown, and the sub-agent is not started again unasked", async () => {
  const folder = place("killed");
  const child = start("work", { folder, isSpawning: true, hold: { at: "note: in the middle", until: place("never") } });
  await child.until(({ holding }) => holding !== undefined);
  child.kill("SIGKILL");
  const killed = await child.ended;
  const witness = { events: killed.events, reserved: [] };
  const finished = await finish(folder, { subAgents: true });
  expect(finished.after.runs.map(({ reason }) => reason)).toEqual(["answered"]);
  const { whole, paired, nothingLost, toldAsUnknown, oneEndEach } = promises;
  expect([whole, paired, nothingLost, toldAsUnknown, oneEndEach].flatMap((promised) => promised(witness, finished))).toEqual([]);

  const stores = await sqliteStores({ path: databaseIn(folder) });
  const sessions = await stores.sessions.list();
  expect(sessions).toHaveLength(2);
  const childId = killed.events.flatMap((event) => (event.type === "ChildStarted" ? [event.childId] : []))[0] ?? "";
  expect([...effectsIn(effectsFolder(folder), childId).values()]).toEqual([1]);
  const left = await stores.sessions.load(childId);
  console.log(
    left.runs,
    pairing(left.messages),
    (await stores.costs.rows(childId)).map(({ state }) => state),
  );
  await stores.close();
});
