import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { DatabaseError } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { openTestHome } from "../../test/test-home.ts";
import { openStores } from "../compose/open-stores.ts";
import { createCurrentStores } from "./current-stores.ts";

const file = scratchFolder();

async function openCurrent(folder: string) {
  const { home, stores, runPrompt, close } = await openTestHome(folder);
  await runPrompt("ses_a", "Say.", [{ text: "Done." }]);
  const problems: string[] = [];
  const current = createCurrentStores(stores, {
    path: home.database,
    open: () => openStores(home, home.logDir),
    onProblem: (sentence) => problems.push(sentence),
    checkMs: 0,
  });
  const sessions = async () => (await current.sessions.list()).map(({ sessionId }) => sessionId);
  const remove = () => Promise.all(["", "-wal", "-shm"].map((end) => rm(`${home.database}${end}`, { force: true })));
  return { home, current, sessions, problems, remove, close: () => current.close().then(close) };
}

test("a database that was replaced is opened again, and the user is told once", async () => {
  const { home, current, sessions, problems, close } = await openCurrent(await file("home"));
  expect(await sessions()).toEqual(["ses_a"]);
  const other = await openTestHome(await file("other"));
  await other.runPrompt("ses_b", "Say.", [{ text: "Done." }]);
  await other.close();
  for (const end of ["-wal", "-shm"]) await rm(`${home.database}${end}`, { force: true });
  await rename(other.home.database, home.database);
  expect(await Promise.all([sessions(), sessions()])).toEqual([["ses_b"], ["ses_b"]]);
  expect(await current.events.lastPosition()).toBeGreaterThan(0);
  expect(problems).toEqual(["the database was replaced; the server has opened the new one"]);
  await close();
});

test("a database that was deleted is created again", async () => {
  const { sessions, remove, close } = await openCurrent(await file("home"));
  await remove();
  expect(await sessions()).toEqual([]);
  await close();
});

test("while no database can be opened, a method rejects; later it works again", async () => {
  const { home, sessions, problems, remove, close } = await openCurrent(await file("home"));
  await remove();
  await mkdir(home.database);
  await writeFile(`${home.database}/x`, "");
  await expect(sessions()).rejects.toThrow(DatabaseError);
  await expect(sessions()).rejects.toThrow(DatabaseError);
  await rm(home.database, { recursive: true });
  expect(await sessions()).toEqual([]);
  expect(problems).toEqual(["the database was replaced; the server has opened the new one"]);
  await close();
});
