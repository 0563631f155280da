import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

/** A promise that a test resolves. */
function barrier(): { readonly release: () => void; readonly released: Promise<void> } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release: () => release(), released };
}

describe.skipIf(!canTest)("during a run", () => {
  test("Enter queues, Up takes back, Ctrl-S sends a message for the end of the turn", async (context) => {
    const firstReply = barrier();
    const sandbox = await createSandbox(context, [
      async () => {
        await firstReply.released;
        return { text: "First reply.", calls: [{ tool: "glob", input: { pattern: "*" } }] };
      },
      { text: "Second reply." },
      { text: "Third reply." },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("begin");
    await terminal.shows("running");
    await terminal.type("after this");
    await terminal.shows("Enter queues · Ctrl-S sends now · Esc stops the run");
    await terminal.press("Enter");
    await terminal.shows("queued 1: after this");
    await terminal.press("Up");
    await terminal.shows("› after this");
    await terminal.hides("queued 1");
    await terminal.press("Enter");
    await terminal.shows("queued 1: after this");
    await terminal.type("mind the gap");
    await terminal.press("C-s");
    await terminal.shows("The agent reads it at the end of this turn: mind the gap");
    firstReply.release();
    await terminal.shows("Third reply.");
    const [one, two, three] = sandbox.server.requests.map(({ text }) => text);
    expect([one?.includes("mind the gap"), two?.includes("mind the gap"), two?.includes("after this")]).toEqual([
      false,
      true,
      false,
    ]);
    expect(three).toContain("after this");
  });

  test("Escape stops it, the queue waits, and /retry continues it", async (context) => {
    const never = barrier();
    const sandbox = await createSandbox(context, [
      async () => {
        await never.released;
        return { text: "too late" };
      },
      { text: "Now it works." },
      { text: "And the queue." },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("begin");
    await terminal.shows("running");
    await terminal.say("more to do");
    await terminal.shows("queued 1: more to do");
    await terminal.press("Escape");
    await terminal.shows("the run was cancelled");
    await terminal.shows("The queue waits");
    await terminal.say("/retry");
    await terminal.shows("Now it works.");
    await terminal.shows("And the queue.");
    never.release();
  });

  test("Ctrl-C stops it, and twice leaves the chat and no process", async (context) => {
    const sandbox = await createSandbox(context, [
      { text: "", calls: [{ tool: "bash", input: { command: "sleep 43" } }] },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("begin");
    await terminal.shows("bash sleep 43");
    await terminal.press("C-c");
    await terminal.shows("the run was cancelled");
    await terminal.shows(ready);
    await terminal.press("C-c");
    await terminal.shows("Press Ctrl-C again to leave.");
    await terminal.press("C-c");
    expect(await terminal.ended()).toEqual({ code: 0, isRestored: true });
    await terminal.shows("To resume: sheepdog chat --resume ses_");
  });
});
