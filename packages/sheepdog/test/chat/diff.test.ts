import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

describe.skipIf(!canTest)("/diff", () => {
  test("shows every change that the agent made to files in this session", async (context) => {
    const sandbox = await createSandbox(context, [
      { text: "First.", calls: [{ tool: "edit", input: { path: "greet.js", old: "Hello", new: "Good morning" } }] },
      { text: "Then.", calls: [{ tool: "write", input: { path: "notes.txt", content: "one\ntwo\n" } }] },
      { text: "Both are written." },
    ]);
    await sandbox.file("greet.js", 'export const text = "Hello";\n');
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("/diff");
    await terminal.shows("No file was changed");
    await terminal.say("change both");
    await terminal.shows("Both are written.");
    await terminal.shows(ready);
    await terminal.say("/clear");
    await terminal.hides("Both are written.");
    await terminal.say("/diff");
    const screen = await terminal.shows("notes.txt  +2 -0");
    expect(screen).toMatch(
      /greet\.js {2}\+1 -1\n[\s\S]*-export const text = "Hello";\n +\+export const text = "Good morning";/,
    );
    expect(screen).toMatch(/notes\.txt {2}\+2 -0\n[\s\S]*\+one\n +\+two/);
  });
});
