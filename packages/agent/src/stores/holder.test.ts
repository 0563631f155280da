import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isGone, thisProcess } from "./holder.ts";

const me = thisProcess();
const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);

test("this process is running, and each call returns a new holder", () => {
  expect(me).toMatchObject({ pid: process.pid });
  expect(isGone(me)).toBe(false);
  expect(thisProcess().id).not.toBe(me.id);
});

test("an ended process is gone, with or without a known start time", () => {
  expect(isGone({ ...me, pid: ended })).toBe(true);
  expect(isGone({ id: me.id, host: me.host, pid: ended })).toBe(true);
  expect(isGone({ id: me.id, host: me.host, pid: process.pid })).toBe(false);
});

test("a process of another machine is not known to be gone, nor is an invalid pid", () => {
  expect(isGone({ ...me, pid: ended, host: "a machine of another name" })).toBe(false);
  for (const pid of [0, -1, 1.5, Number.NaN]) expect(isGone({ ...me, pid })).toBe(false);
});

test.skipIf(process.platform !== "linux")(
  "a later process with the same pid is a different one, and so is one before a restart of the machine",
  () => {
    const [boot, space, ticks] = me.processStart?.split("/") ?? [];
    expect(isGone({ ...me, processStart: `${boot}/${space}/${Number(ticks) - 1}` })).toBe(true);
    expect(isGone({ ...me, processStart: `another/${space}/${ticks}` })).toBe(true);
    expect(isGone({ ...me, processStart: `${boot}/pid:[another]/${Number(ticks) - 1}` })).toBe(false);
  },
);
