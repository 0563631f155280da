import { describe, expect, type TestContext, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { type ChatTerminal, canTest, ready, startChat } from "./terminal.ts";

describe.skipIf(!canTest)("a suspended chat", () => {
  test("leaves the terminal to the shell after Ctrl-Z", async (context) => {
    const terminal = await chatWithText(context);
    await terminal.press("C-z");
    expect((await terminal.ended()).isRestored).toBe(true); // the shell has taken over
    await terminal.hides("idle ·");
  });

  test("draws again and reads keys after SIGCONT", async (context) => {
    const terminal = await chatWithText(context);
    process.kill(await terminal.pid(), "SIGCONT");
    await terminal.type(" and more");
    await terminal.shows("half a thought and more");
    await terminal.press("Enter");
    await terminal.shows("Back again.");
    expect((await terminal.shows(ready)).match(/idle ·/g)).toHaveLength(1);
  });
});

/** A chat with text at the prompt. */
async function chatWithText(context: TestContext): Promise<ChatTerminal> {
  const terminal = await startChat(await createSandbox(context, [{ text: "Back again." }]), context);
  await terminal.shows(ready);
  await terminal.type("half a thought");
  await terminal.shows("half a thought");
  return terminal;
}
