import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const danger = (name: string) => ({
  text: "",
  calls: [{ tool: "bash", input: { command: `touch ${name} && eval "true $UNKNOWN"` } }],
});

describe.skipIf(!canTest)("a call that needs approval", () => {
  test("runs once, always or never, as the user chooses; the model is sent why a call was refused", async (context) => {
    const sandbox = await createSandbox(context, [
      danger("once"),
      danger("always"),
      danger("always"),
      danger("never"),
      danger("reason"),
      { text: "I have tried." },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("go");
    const card = await terminal.shows("May the agent run this? bash");
    expect(card).toContain('touch once && eval "true $UNKNOWN"');
    expect(card).toContain("Why you are asked: ");
    expect(card).toContain("waiting for you");
    expect(existsSync(join(sandbox.workspace, "once"))).toBe(false);
    await answer(terminal, "y", "│   touch always");
    expect(existsSync(join(sandbox.workspace, "once"))).toBe(true);
    await answer(terminal, "a", "Allowed, because you chose always: bash");
    await terminal.shows("│   touch never");
    await answer(terminal, "n", "│   touch reason");
    await answer(terminal, "d", "Why not?");
    await terminal.say("it is not needed");
    await terminal.shows("I have tried.");
    const lastRequest = sandbox.server.requests.at(-1)?.text ?? "";
    expect(lastRequest).toContain("the user said no: it is not needed");
    expect(["once", "always", "never", "reason"].map((name) => existsSync(join(sandbox.workspace, name)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("keeps the text at the prompt, and takes no key while the user is typing", async (context) => {
    let ask = () => {};
    const asking = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const sandbox = await createSandbox(context, [
      async () => {
        await asking;
        return danger("typed");
      },
      { text: "Over." },
    ]);
    const terminal = await startChat(sandbox, context);
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
    expect(shown).toMatch(/› a half sentencex+\n/); // keys before the pause are text
    expect(existsSync(join(sandbox.workspace, "typed"))).toBe(false);
  });

  test("is shown as a change to a file, and a question is shown with its choices", async (context) => {
    const sandbox = await createSandbox(context, [
      { text: "", calls: [{ tool: "write", input: { path: "notes.txt", content: "new\nlines" } }] },
      { text: "", calls: [{ tool: "ask_user", input: { question: "Which colour?", choices: ["red", "green"] } }] },
      { text: "", calls: [{ tool: "ask_user", input: { question: "And how much?" } }] },
      { text: "Thank you." },
    ]);
    const terminal = await startChat(sandbox, context, { args: ["--set", 'security.pause_before=[\\"write\\"]'] });
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("+ new");
    await terminal.shows("write notes.txt (a new file)");
    await answer(terminal, "n", "Which colour?");
    await answer(terminal, "2", "And how much?");
    await answer(terminal, "a lot", "Answer: a lot");
    await terminal.press("Enter");
    await terminal.shows("Thank you.");
    const lastRequest = sandbox.server.requests.at(-1)?.text ?? "";
    expect(lastRequest).toContain("The user answered: green");
    expect(lastRequest).toContain("The user answered: a lot");
  });
});

/** Types an answer once the card takes keys. */
async function answer(terminal: Awaited<ReturnType<typeof startChat>>, key: string, shows: string): Promise<void> {
  await terminal.shows(/y once|Answer:/);
  await terminal.type(key);
  await terminal.shows(shows);
}
