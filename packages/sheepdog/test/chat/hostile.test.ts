import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready } from "./terminal.ts";

/** What would clear the screen, name the window, fill the clipboard, hide a link, talk to the device, colour by one byte, or turn the writing around. */
const evil =
  "A\u001b[2JB\u001b]0;PWNED\u0007C\u001b]52;c;UFdORUQ=\u0007D\u001b]8;;http://evil.example\u001b\\E\u001b]8;;\u001b\\F\u001bPq#PWNED\u001b\\G\u009b31mH\u202eI\u200bJ\u001bcK";
const shellEvil = String.raw`printf 'T\033[2JU\033]0;PWNED\007V\302\23331mW\342\200\256X\n'; touch "$(printf 'name\033[2J\033]0;PWNED\007.txt')"; ls`;

/** Sequences that only somebody else can have sent: ours are colours, moves, erased lines and modes. */
function foreign(bytes: string): readonly string[] {
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

describe.skipIf(!canTest)("nothing that was written to deceive reaches the terminal", () => {
  test("from the model, however it is cut, from tools, from file names, and from the names of sessions", async (context) => {
    const here = await createSandbox(context, [
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
    const terminal = await startChat(here, context);
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
    expect(foreign(await terminal.bytes())).toEqual([]);
    await terminal.press("C-d");
    await terminal.ended();

    const again = await startChat(here, context, { args: ["--resume"] });
    await again.shows("Find:");
    await again.shows("1 of 1 sessions");
    await again.press("Enter");
    await again.shows("All seen.");
    expect(foreign(await again.bytes())).toEqual([]);
  });

  test("what is to be allowed is shown with everything that is hidden in it", async (context) => {
    const here = await createSandbox(context, [
      { text: "", calls: [{ tool: "bash", input: { command: 'eval "$X" # \u001b[8mrm -rf /\u202e' } }] },
      { text: "Fine." },
    ]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("\\u{1b}[8mrm -rf /\\u{202e}");
    expect(foreign(await terminal.bytes())).toEqual([]);
  });
});
