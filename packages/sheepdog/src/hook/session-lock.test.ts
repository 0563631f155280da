import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { withLock } from "./session-lock.ts";

const scratch = scratchFolder();

async function newFolder(): Promise<string> {
  return dirname(await scratch("locks/other", ""));
}

const places: Readonly<Record<string, (lock: string) => void>> = {
  "a folder": (lock) => mkdirSync(lock),
  "a link to nothing": (lock) => symlinkSync("/nowhere/at-all", lock),
};

test.each(Object.entries(places))("%s in place of the lock is not waited for without end", async (_, place) => {
  const lock = join(await newFolder(), "s.lock");
  place(lock);
  expect(() => withLock(lock, 30, () => "done")).toThrow("another hook has held");
});

test("an old folder in place of the lock is moved away", async () => {
  const lock = join(await newFolder(), "s.lock");
  mkdirSync(lock);
  utimesSync(lock, 1, 1);
  expect(withLock(lock, 30, () => "done")).toBe("done");
});

test("an unsigned lock from the future is of a clock that was set back, and is taken over", async () => {
  const folder = await newFolder();
  const lock = join(folder, "s.lock");
  writeFileSync(lock, "");
  utimesSync(lock, 4e9, 4e9);
  expect(withLock(lock, 30, () => "done")).toBe("done");
  expect(readdirSync(folder)).toEqual(["other"]);
});

test("the result of the work is not lost with a lock that is gone by then", async () => {
  const folder = await newFolder();
  const lock = join(folder, "s.lock");
  expect(withLock(lock, 30, () => withoutLock(lock))).toBe("done");
});

function withoutLock(lock: string): string {
  utimesSync(lock, 1, 1);
  return withLock(lock, 30, () => "done"); // another process takes it over
}

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
