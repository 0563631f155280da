import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isGone, thisProcess } from "./holder.ts";

const me = thisProcess();
const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);

test("this process is there, and each time another holder", () => {
  expect(me).toMatchObject({ pid: process.pid });
  expect(isGone(me)).toBe(false);
  expect(thisProcess().id).not.toBe(me.id);
});

test("a process that has ended is gone, whether or not it is known when it began", () => {
  expect(isGone({ ...me, pid: ended })).toBe(true);
  expect(isGone({ id: me.id, host: me.host, pid: ended })).toBe(true);
  expect(isGone({ id: me.id, host: me.host, pid: process.pid })).toBe(false);
});

test("nobody can tell about another machine's process, or about what is no process", () => {
  expect(isGone({ ...me, pid: ended, host: "a machine of another name" })).toBe(false);
  for (const pid of [0, -1, 1.5, Number.NaN]) expect(isGone({ ...me, pid })).toBe(false);
});

test.skipIf(process.platform !== "linux")(
  "a later process with the same pid is another one, and so is one before the machine was started anew",
  () => {
    const [boot, space, ticks] = me.processStart?.split("/") ?? [];
    expect(isGone({ ...me, processStart: `${boot}/${space}/${Number(ticks) - 1}` })).toBe(true);
    expect(isGone({ ...me, processStart: `another/${space}/${ticks}` })).toBe(true);
    expect(isGone({ ...me, processStart: `${boot}/pid:[another]/${Number(ticks) - 1}` })).toBe(false);
  },
);
