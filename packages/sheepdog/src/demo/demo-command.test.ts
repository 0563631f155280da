import { describe, expect, test } from "vitest";
import { type FakeIo, fakeIo } from "../../test/fake-io.ts";
import { main } from "../cli.ts";

async function demo(io: FakeIo, ...options: string[]): Promise<string> {
  expect(await main(["demo", ...options], io)).toBe(0);
  expect(io.err()).toBe("");
  return io.out();
}

describe("the demo", () => {
  test("shows one agent that recovers and one that is ended, in this order", async () => {
    const out = await demo(fakeIo({ columns: 200 }));
    const moments = out.match(/sheepdog: (?:hint|warn|block|halt|refused|recovered)/g)?.map((moment) => moment.slice(10));
    expect(moments).toEqual(["hint", "recovered", "hint", "warn", "block", "refused", "refused", "refused", "halt"]);
    expect(out).toContain("The run came back on course and finished.");
    expect(out).toMatch(/The recording goes on for \d+ more calls and \$\d+\.\d+: saved\./);
    expect(out).toMatch(/npx sheepdog analyze \S+recordings/);
  });

  test.each([40, 80, 100])("fits into %i columns, but for the commands to copy", async (columns) => {
    const out = await demo(fakeIo({ columns }));
    for (const line of out.split("\n")) if (!line.includes("npx sheepdog")) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("has no colour when piped, with NO_COLOR or on a dumb terminal, and no mark a dumb terminal lacks", async () => {
    expect(await demo(fakeIo())).not.toContain("\u001b");
    expect(await demo(fakeIo({ isTTY: true, env: { NO_COLOR: "1" } }), "--fast")).not.toContain("\u001b");
    const dumb = await demo(fakeIo({ isTTY: true, env: { TERM: "dumb" } }), "--fast");
    expect(dumb).not.toContain("\u001b");
    expect(dumb).not.toMatch(/[┃✓✗]/);
  });

  test("gives the cursor back when it is interrupted", async () => {
    const io = fakeIo({ isTTY: true });
    const ending = main(["demo"], io);
    while (!io.out().includes("\u001b[?25l")) await new Promise((resolve) => setImmediate(resolve));
    io.interrupt();
    expect(await ending).toBe(130);
    expect(io.out().endsWith("\u001b[?25h")).toBe(true);
  });
});
