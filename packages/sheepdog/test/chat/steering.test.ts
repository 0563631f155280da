import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready } from "./terminal.ts";

/** A door that a reply waits behind. */
function door(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

describe.skipIf(!canTest)("while a run goes on", () => {
  test("Enter queues, Up takes back, Ctrl-S says it at the end of the turn", async (context) => {
    const first = door();
    const here = await createSandbox(context, [
      async () => {
        await first.opened;
        return { text: "First reply.", calls: [{ tool: "glob", input: { pattern: "*" } }] };
      },
      { text: "Second reply." },
      { text: "Third reply." },
    ]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.say("begin");
    await terminal.shows("running");
    await terminal.type("for later");
    await terminal.shows("Enter queues · Ctrl-S says it now · Esc stops the run");
    await terminal.press("Enter");
    await terminal.shows("queued 1: for later");
    await terminal.press("Up");
    await terminal.shows("› for later");
    await terminal.hides("queued 1");
    await terminal.press("Enter");
    await terminal.shows("queued 1: for later");
    await terminal.type("mind the gap");
    await terminal.press("C-s");
    await terminal.shows("heard at the end of this turn: mind the gap");
    first.open();
    await terminal.shows("Third reply.");
    const [one, two, three] = here.server.requests.map(({ text }) => text);
    expect([one?.includes("mind the gap"), two?.includes("mind the gap"), two?.includes("for later")]).toEqual([
      false,
      true,
      false,
    ]);
    expect(three).toContain("for later");
  });

  test("Escape stops it in good order, the queue waits, and /retry goes on", async (context) => {
    const never = door();
    const here = await createSandbox(context, [
      async () => {
        await never.opened;
        return { text: "too late" };
      },
      { text: "Now it works." },
      { text: "And the queue." },
    ]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.say("begin");
    await terminal.shows("running");
    await terminal.say("more to do");
    await terminal.shows("queued 1: more to do");
    await terminal.press("Escape");
    await terminal.shows("it was cancelled");
    await terminal.shows("The queue waits");
    await terminal.say("/retry");
    await terminal.shows("Now it works.");
    await terminal.shows("And the queue.");
    never.open();
  });

  test("Ctrl-C stops it, and twice it leaves; no command is left behind", async (context) => {
    const here = await createSandbox(context, [{ text: "", calls: [{ tool: "bash", input: { command: "sleep 43" } }] }]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.say("begin");
    await terminal.shows("bash sleep 43");
    await terminal.press("C-c");
    await terminal.shows("it was cancelled");
    await terminal.shows(ready);
    await terminal.press("C-c");
    await terminal.shows("Ctrl-C again leaves.");
    await terminal.press("C-c");
    expect(await terminal.ended()).toEqual({ code: 0, isRestored: true });
    await terminal.shows("Go on: sheepdog chat --resume ses_");
  });
});
