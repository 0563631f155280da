import { existsSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPrivateFolder } from "./private-folder.ts";

test("folders that a killed process left behind are removed an hour later", async () => {
  const [old, recent] = ["old", "recent"].map((name) => join(tmpdir(), `sheepdog-read-test-${process.pid}-${name}`));
  if (old === undefined || recent === undefined) throw new Error("Expected two folders.");
  for (const folder of [old, recent]) mkdirSync(join(folder, "inside"), { recursive: true });
  onTestFinished(() => {
    for (const folder of [old, recent]) rmSync(folder, { recursive: true, force: true });
  });
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  utimesSync(old, twoHoursAgo, twoHoursAgo);
  const created = await createPrivateFolder();
  expect([old, recent, created.path].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  await created.remove();
  expect(existsSync(created.path)).toBe(false);
});

test("an interrupted process removes the folder and then ends as it would have", async () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const signal = "SIGHUP";
  const listenersBefore = process.listenerCount(signal);
  const { path } = await createPrivateFolder();
  expect(existsSync(path)).toBe(true);
  process.emit(signal, signal);
  expect(existsSync(path)).toBe(false);
  expect(process.listenerCount(signal)).toBe(listenersBefore);
  expect(kill.mock.calls).toEqual(listenersBefore === 0 ? [[process.pid, signal]] : []);
});
