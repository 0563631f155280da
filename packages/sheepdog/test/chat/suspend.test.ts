import { describe, expect, type TestContext, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready, type ChatTerminal } from "./terminal.ts";

describe.skipIf(!canTest)("a chat that is put aside", () => {
  test("by Ctrl-Z leaves the terminal to the shell, and takes keys again when it goes on", async (context) => {
    const terminal = await halfWritten(context);
    await terminal.press("C-z");
    expect((await terminal.ended()).isRestored).toBe(true); // for the shell that started it
    await terminal.hides("idle ·");
  });

  test("from outside draws itself anew, and reads key by key", async (context) => {
    const terminal = await halfWritten(context);
    process.kill(await terminal.pid(), "SIGCONT");
    await terminal.type(" and more");
    await terminal.shows("half a thought and more");
    await terminal.press("Enter");
    await terminal.shows("Back again.");
    expect((await terminal.shows(ready)).match(/idle ·/g)).toHaveLength(1);
  });
});

/** A chat in which somebody has begun to type. */
async function halfWritten(context: TestContext): Promise<ChatTerminal> {
  const terminal = await startChat(await createSandbox(context, [{ text: "Back again." }]), context);
  await terminal.shows(ready);
  await terminal.type("half a thought");
  await terminal.shows("half a thought");
  return terminal;
}
