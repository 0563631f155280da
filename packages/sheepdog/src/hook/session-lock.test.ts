import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { withLock } from "./session-lock.ts";

const scratch = scratchFolder();

test("a lock that cannot be read is waited for, and no longer than was asked", async () => {
  const lock = await scratch("lock.lock", "");
  const unreadable = `${lock}.d`;
  mkdirSync(unreadable);
  expect(() => withLock(unreadable, 20, () => {})).toThrow("another hook has held");
});

test("a lock of a process that is gone is not waited for if it cannot be removed", async () => {
  const lock = await scratch("lock.lock", String(spawnSync(process.execPath, ["-e", "0"]).pid));
  mkdirSync(join(`${lock}.${process.pid}.stale`, "not-empty"), { recursive: true });
  expect(() => withLock(lock, 20, () => {})).toThrow("another hook has held");
});

test("a lock that another process took over meanwhile stays, and the work is not lost", async () => {
  const lock = `${await scratch("folder", "")}.lock`;
  const work = () => {
    writeFileSync(lock, "1");
    return "done";
  };
  expect(withLock(lock, 20, work)).toBe("done");
  expect(readFileSync(lock, "utf8")).toBe("1");
});

test("a lock is released at the end", async () => {
  const lock = `${await scratch("other", "")}.lock`;
  expect(withLock(lock, 20, () => existsSync(lock))).toBe(true);
  expect(existsSync(lock)).toBe(false);
});
