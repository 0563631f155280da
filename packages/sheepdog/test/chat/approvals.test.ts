import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready } from "./terminal.ts";

const danger = (name: string) => ({
  text: "",
  calls: [{ tool: "bash", input: { command: `touch ${name} && eval "true $UNKNOWN"` } }],
});

describe.skipIf(!canTest)("a call that is asked about", () => {
  test("is run once, always or not at all, as a key says, and the agent hears why not", async (context) => {
    const here = await createSandbox(context, [
      danger("once"),
      danger("always"),
      danger("always"),
      danger("never"),
      danger("reason"),
      { text: "I have tried." },
    ]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.say("go");
    const asked = await terminal.shows("May the agent run this? bash");
    expect(asked).toContain('touch once && eval "true $UNKNOWN"');
    expect(asked).toContain("Why it asks: ");
    expect(asked).toContain("waits for you");
    expect(existsSync(join(here.workspace, "once"))).toBe(false);
    await answer(terminal, "y", "│   touch always");
    expect(existsSync(join(here.workspace, "once"))).toBe(true);
    await answer(terminal, "a", "Allowed, as you said before: bash");
    await terminal.shows("│   touch never");
    await answer(terminal, "n", "│   touch reason");
    await answer(terminal, "d", "Why not?");
    await terminal.say("it is not needed");
    await terminal.shows("I have tried.");
    const heard = here.server.requests.at(-1)?.text ?? "";
    expect(heard).toContain("the person said no: it is not needed");
    expect(["once", "always", "never", "reason"].map((name) => existsSync(join(here.workspace, name)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("leaves what was being typed as it is, and takes no key of somebody who is typing", async (context) => {
    let ask = () => {};
    const asking = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const here = await createSandbox(context, [
      async () => {
        await asking;
        return danger("typed");
      },
      { text: "Over." },
    ]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("running");
    await terminal.type("a half sentence");
    await terminal.shows("› a half sentence");
    ask();
    do await terminal.type("x");
    while (!(await terminal.screen()).includes("Pause a moment, then answer."));
    await answer(terminal, "n", "Over.");
    const shown = await terminal.shows(ready);
    expect(shown).toMatch(/› a half sentencex+\n/); // keys that came too soon are text
    expect(existsSync(join(here.workspace, "typed"))).toBe(false);
  });

  test("shows the change to a file, and a question with its choices", async (context) => {
    const here = await createSandbox(context, [
      { text: "", calls: [{ tool: "write", input: { path: "notes.txt", content: "new\nlines" } }] },
      { text: "", calls: [{ tool: "ask_user", input: { question: "Which colour?", choices: ["red", "green"] } }] },
      { text: "", calls: [{ tool: "ask_user", input: { question: "And how much?" } }] },
      { text: "Thank you." },
    ]);
    const terminal = await startChat(here, context, { args: ["--set", 'security.pause_before=[\\"write\\"]'] });
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("+ new");
    await terminal.shows("write notes.txt (a new file)");
    await answer(terminal, "n", "Which colour?");
    await answer(terminal, "2", "And how much?");
    await answer(terminal, "a lot", "Answer: a lot");
    await terminal.press("Enter");
    await terminal.shows("Thank you.");
    const heard = here.server.requests.at(-1)?.text ?? "";
    expect(heard).toContain("The person answered: green");
    expect(heard).toContain("The person answered: a lot");
  });
});

/** A card waits for a pause in the typing. */
async function answer(terminal: Awaited<ReturnType<typeof startChat>>, key: string, shows: string): Promise<void> {
  await terminal.shows(/y once|Answer:/);
  await terminal.type(key);
  await terminal.shows(shows);
}
