import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

/** Clears the screen, sets the title, fills the clipboard, hides a link, talks to the device, and reverses the text. */
const evil =
  "A\u001b[2JB\u001b]0;PWNED\u0007C\u001b]52;c;UFdORUQ=\u0007D\u001b]8;;http://evil.example\u001b\\E" +
  "\u001b]8;;\u001b\\F\u001bPq#PWNED\u001b\\G\u009b31mH\u202eI\u200bJ\u001bcK";
const shellEvil = [
  String.raw`printf 'T\033[2JU\033]0;PWNED\007V\302\23331mW\342\200\256X\n'`,
  String.raw`touch "$(printf 'name\033[2J\033]0;PWNED\007.txt')"`,
  "ls",
].join("; ");

/** Sequences that the chat itself never sends: it uses only colours, cursor moves, erased lines and modes. */
function foreignSequences(bytes: string): readonly string[] {
  const utf8 = Buffer.from(bytes, "latin1").toString("utf8");
  const found = [
    "\u001b[2J",
    "\u001b[3J",
    "\u001b]",
    "\u001bP",
    "\u001b_",
    "\u001b^",
    "\u001bX",
    "\u001bc",
    "\u0007",
    "\u202e",
    "\u200b",
  ].filter((each) => utf8.includes(each));
  return [...found, ...(utf8.match(/[\u0080-\u009f]/g) ?? [])];
}

describe.skipIf(!canTest)("untrusted text on the terminal", () => {
  test("contains no control sequences, from the model, tools, file names or sessions", async (context) => {
    const sandbox = await createSandbox(context, [
      { thinking: evil, text: evil, deltaChars: 1 },
      { text: "", calls: [{ tool: "bash", input: { command: shellEvil } }] },
      {
        text: "",
        calls: [
          { tool: "glob", input: { pattern: "*" } },
          { tool: `t${evil}`, input: { [`k${evil}`]: evil } },
        ],
      },
      { text: "", calls: [{ tool: "ask_user", input: { question: `Q${evil}`, choices: [`C${evil}`] } }] },
      { text: "All seen." },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.paste(`title ${evil}`);
    await terminal.press("Enter");
    await terminal.shows("ABCDEFGHIJK");
    await terminal.shows(ready);
    await terminal.say("now the tools");
    await terminal.shows(/May the agent|Answer:/);
    if ((await terminal.screen()).includes("May the agent")) {
      await terminal.shows("y once");
      await terminal.type("y");
    }
    await terminal.shows("Answer:");
    await terminal.type("1");
    await terminal.shows("All seen.");
    await terminal.shows(ready);
    await terminal.say("/sessions");
    await terminal.shows("Find:");
    await terminal.press("Escape");
    await terminal.hides("Find:");
    await terminal.say("/cost");
    await terminal.shows("This session:");
    expect(foreignSequences(await terminal.bytes())).toEqual([]);
    await terminal.press("C-d");
    await terminal.ended();

    const again = await startChat(sandbox, context, { args: ["--resume"] });
    await again.shows("Find:");
    await again.shows("1 of 1 sessions");
    await again.press("Enter");
    await again.shows("All seen.");
    expect(foreignSequences(await again.bytes())).toEqual([]);
  });

  test("is shown with its hidden characters in a call that needs approval", async (context) => {
    const sandbox = await createSandbox(context, [
      { text: "", calls: [{ tool: "bash", input: { command: 'eval "$X" # \u001b[8mrm -rf /\u202e' } }] },
      { text: "Fine." },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("\\u{1b}[8mrm -rf /\\u{202e}");
    expect(foreignSequences(await terminal.bytes())).toEqual([]);
  });
});
