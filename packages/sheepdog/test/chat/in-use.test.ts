import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready } from "./terminal.ts";

describe.skipIf(!canTest)("a session that another process works in", () => {
  test("is told in one sentence, and nothing is said to be broken", async (context) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const here = await createSandbox(context, [
      { text: "The beginning." },
      async () => {
        await answered;
        return { text: "At last." };
      },
    ]);
    const first = await startChat(here, context);
    await first.shows(ready);
    await first.type("begin");
    await first.press("Enter");
    await first.shows("The beginning.");
    await first.shows(ready);
    const second = await startChat(here, context, { args: ["--continue"] });
    await second.shows(ready);
    await first.type("take your time");
    await first.press("Enter");
    await expect.poll(() => here.server.requests.length, { timeout: 10_000 }).toBe(2);
    await second.type("me too");
    await second.press("Enter");
    const shown = await second.shows(/Not begun\. The session ses_\w+ is in use by process \d+/);
    expect(shown).not.toMatch(/something broke|internal_error/);
    answer();
    await first.shows("At last.");
  });
});
