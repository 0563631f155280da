import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const line = (number: number) =>
  `Line ${number} of the answer has a few words in it so that it is longer than forty columns.`;
const long = Array.from({ length: 90 }, (_, number) => line(number)).join("\n");

/** The number of lines that each frame erases: the height of the part that changes. */
function heights(bytes: string): number[] {
  return bytes.split("\u001b[?2026h").map((frame) => frame.split("\u001b[1A").length - 1);
}

describe.skipIf(!canTest)("a long answer", () => {
  test("streams without clearing the screen, and each line is in the scrollback once", async (context) => {
    const sandbox = await createSandbox(context, [{ text: long, deltaChars: 40, deltaDelayMs: 5 }]);
    const terminal = await startChat(sandbox, context, { rows: 20 });
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("Done: ");
    await terminal.shows(ready);
    const bytes = await terminal.bytes();
    expect([bytes.includes("\u001b[2J"), bytes.includes("\u001b[3J")]).toEqual([false, false]);
    expect(bytes.split("\u001b[?2026h").length).toBeGreaterThan(10);
    expect(Math.max(...heights(bytes))).toBeLessThan(20);
    const all = await terminal.all();
    for (const number of [0, 1, 45, 88, 89]) expect(all.split(line(number)).length - 1).toBe(1);
  });

  test("survives a window that is made small and large again", async (context) => {
    let finish = () => {};
    const rest = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const sandbox = await createSandbox(context, [
      { text: long, deltaChars: 40, deltaDelayMs: 5 },
      async () => {
        await rest;
        return { text: "The end of it all." };
      },
    ]);
    const terminal = await startChat(sandbox, context, { columns: 200, rows: 50 });
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows(/Line \d\d/);
    await terminal.resize(40, 10);
    await terminal.shows(/\n›\s*\n.*running/);
    await terminal.shows("Done: ");
    await terminal.hides("running");
    await terminal.say("again");
    const small = await terminal.shows("running");
    expect(small.split("\n").every((row) => row.length <= 40)).toBe(true);
    await terminal.resize(200, 50);
    await terminal.shows(/running.*claude/); // the whole footer fits
    finish();
    const large = await terminal.shows("The end of it all.");
    await terminal.shows(ready);
    expect(large.match(/running/g)?.length ?? 0).toBeLessThan(2);
    const end = await terminal.screen();
    expect(end.match(/idle ·/g)).toHaveLength(1);
    expect(end.match(/^›/gm)).toHaveLength(1);
    const bytes = await terminal.bytes();
    expect([bytes.includes("\u001b[2J"), bytes.includes("\u001b[3J")]).toEqual([false, false]);
  });

  test("is shown in a tiny window, and in one that is resized all the time", async (context) => {
    const sandbox = await createSandbox(context, [{ text: long, deltaChars: 40, deltaDelayMs: 5 }]);
    const terminal = await startChat(sandbox, context, { columns: 10, rows: 3 });
    await terminal.shows("›");
    await terminal.say("go");
    await terminal.shows("$0");
    for (const [columns, rows] of [
      [11, 4],
      [80, 24],
      [12, 2],
      [40, 10],
      [10, 3],
      [1, 1],
      [100, 30],
    ] as const)
      await terminal.resize(columns, rows);
    await terminal.shows("Done: ");
    const shown = await terminal.shows(ready);
    expect(shown).toMatch(/^›$/m);
    await terminal.press("C-d");
    expect(await terminal.ended()).toEqual({ code: 0, isRestored: true });
  });
});
