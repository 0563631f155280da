import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

describe.skipIf(!canTest)("a session that another process uses", () => {
  test("is reported in one sentence, not as an error", async (context) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const sandbox = await createSandbox(context, [
      { text: "The beginning." },
      async () => {
        await answered;
        return { text: "At last." };
      },
    ]);
    const first = await startChat(sandbox, context);
    await first.shows(ready);
    await first.type("begin");
    await first.press("Enter");
    await first.shows("The beginning.");
    await first.shows(ready);
    const second = await startChat(sandbox, context, { args: ["--continue"] });
    await second.shows(ready);
    await first.type("take your time");
    await first.press("Enter");
    await expect.poll(() => sandbox.server.requests.length, { timeout: 10_000 }).toBe(2);
    await second.type("me too");
    await second.press("Enter");
    const shown = await second.shows(/Not started\. The session ses_\w+ is in use by process \d+/);
    expect(shown).not.toMatch(/internal error|internal_error/);
    answer();
    await first.shows("At last.");
  });
});
