import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const STEPS = 12;

describe.skipIf(!canTest)("a window that is resized all the time", () => {
  test("loses no text", async (context) => {
    const sandbox = await createSandbox(context, [
      ...Array.from({ length: STEPS }, (_, step) => ({
        text: `Step ${step} is done.`,
        calls: [{ tool: "bash", input: { command: `echo ${step}` } }],
      })),
      { text: "That was all." },
    ]);
    const terminal = await startChat(sandbox, context, { columns: 110, rows: 40 });
    await terminal.shows(ready);
    await terminal.say("go");
    for (let width = 110; !(await terminal.all()).includes("Done: "); width = width === 110 ? 100 : 110) {
      await terminal.resize(width, 40);
      await setTimeout(80); // longer than the window waits for the next resize
    }
    await terminal.shows(ready);
    const all = await terminal.all();
    expect(
      Array.from({ length: STEPS }, (_, step) => step).filter((step) => !all.includes(`Step ${step} is done.`)),
    ).toEqual([]);
  });
});
