import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

describe.skipIf(!canTest)("a chat in a terminal", () => {
  test("answers prompts, and prints the cost and how to continue at the end", async (context) => {
    const sandbox = await createSandbox(context, [{ text: "Good morning." }, { text: "And good night." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.type("hello there");
    await terminal.shows("› hello there");
    await terminal.press("Enter");
    await terminal.shows("Good morning.");
    await terminal.shows(ready);
    await terminal.press("C-d");
    expect(await terminal.ended()).toEqual({ code: 0, isRestored: true });
    const left = await terminal.shows("To resume: sheepdog chat --resume ses_");
    expect(left).toContain("the session has cost $0.0");
    expect(left).not.toContain("idle ·");

    const again = await startChat(sandbox, context, { args: ["--continue"] });
    const shown = await again.shows(ready);
    expect(shown).toContain("Good morning.");
    await again.press("Up");
    await again.shows("› hello there");
    await again.press("C-u");
    await again.type("bye");
    await again.press("Enter");
    await again.shows("And good night.");
    expect(sandbox.server.requests[1]?.text).toContain("Good morning.");
    expect((await stat(join(sandbox.home, "chat-history.jsonl"))).mode & 0o777).toBe(0o600);
  });

  test("treats a paste as text, and sends several lines at once", async (context) => {
    const sandbox = await createSandbox(context, [{ text: "Two lines, three lines." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.paste("one\ntwo");
    await terminal.shows(/› one\n {2}two/);
    await terminal.press("C-j");
    await terminal.say("three\\");
    await terminal.type("four");
    await terminal.shows(/three\n {2}four/);
    expect(sandbox.server.requests).toEqual([]);
    await terminal.press("Enter");
    await terminal.shows("Two lines, three lines.");
    expect(sandbox.server.requests[0]?.text).toContain("one\\ntwo\\nthree\\nfour");
  });

  test("edits like a shell, with characters of any width", async (context) => {
    const sandbox = await createSandbox(context, [{ text: "Seen." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.type("羊飼い 👩‍👩‍👧 é wrong");
    await terminal.press("C-w");
    await terminal.press("C-a");
    await terminal.type("the ");
    await terminal.press("C-e", "BSpace", "BSpace", "BSpace", "BSpace");
    await terminal.type("!");
    await terminal.shows("› the 羊飼い !");
    await terminal.press("Enter");
    await terminal.shows("Seen.");
    expect(sandbox.server.requests[0]?.text).toContain("the 羊飼い !");
  });

  test("runs a line with ! in the shell, through the gate, and never sends it", async (context) => {
    let answerNow = () => {};
    const answered = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    const sandbox = await createSandbox(context, [
      async () => {
        await answered;
        return { text: "I am done." };
      },
    ]);
    await sandbox.file("sheep.txt", "Dolly\n");
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("!cat sheep.txt; exit 3");
    await terminal.shows("$ cat sheep.txt; exit 3");
    await terminal.shows("Dolly");
    await terminal.say('!touch asked && eval "true $UNKNOWN"');
    await terminal.shows("You typed it yourself.");
    await terminal.shows("y once");
    await terminal.type("n");
    await terminal.shows("Not run: the user said no");
    await terminal.say("!sleep 60");
    await terminal.shows("$ sleep 60");
    await terminal.press("Escape");
    await terminal.shows("interrupted");
    await terminal.say("!");
    await terminal.shows("Type a command after the !");
    await terminal.say("work");
    await vi.waitFor(() => expect(sandbox.server.requests).toHaveLength(1), 10_000);
    await terminal.say("!touch during");
    await terminal.shows("a run is working");
    await terminal.type("!touch steered");
    await terminal.press("C-s");
    await terminal.shows("a run is working");
    answerNow();
    await terminal.shows("I am done.");
    expect(sandbox.server.requests).toHaveLength(1);
    expect(sandbox.server.requests[0]?.text).not.toMatch(/Dolly|cat sheep|sleep 60|touch/);
    expect(["asked", "during", "steered"].filter((name) => existsSync(join(sandbox.workspace, name)))).toEqual([]);
  });

  test("a typed command has its secrets masked, may have several lines, and ends with the chat", async (context) => {
    const sandbox = await createSandbox(context, []);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await sandbox.file("token.txt", `the key ghp_${"a1B2c3".repeat(6)} end\n`);
    await terminal.say("!cat token.txt");
    expect(await terminal.shows(/the key .* end/)).not.toContain("a1B2c3a1B2c3");
    await terminal.say("!echo one\\");
    await terminal.say("echo two");
    await terminal.shows(/^\s*two/m);
    await terminal.say("!");
    await terminal.shows("Type a command after the !");
    const seconds = `300.${process.pid}`;
    await terminal.say(`!sleep ${seconds}`);
    await vi.waitFor(() => expect(isRunning(`sleep\0${seconds}`)).toBe(true), 10_000);
    await terminal.press("C-d");
    expect((await terminal.ended()).code).toBe(0);
    await vi.waitFor(() => expect(isRunning(`sleep\0${seconds}`)).toBe(false), 10_000);
    expect(sandbox.server.requests).toEqual([]);
  });

  test("completes commands, and suggests a command for an unknown one", async (context) => {
    const sandbox = await createSandbox(context, [{ text: "An answer to keep." }, { text: "Another one." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.type("/he");
    await terminal.shows("/help  list the commands and keys");
    await terminal.press("Tab", "Enter");
    await terminal.shows("Ctrl-S, Alt-Enter");
    await terminal.say("/clera");
    await terminal.shows("Did you mean /clear?");
    await terminal.say("keep it"); // the unknown command has left the prompt
    await terminal.shows("An answer to keep.");
    await terminal.shows(ready);
    await terminal.say("/export out.md");
    await terminal.shows("Wrote ");
    expect(await readFile(join(sandbox.workspace, "out.md"), "utf8")).toContain("An answer to keep.");
    await terminal.say("/export out.md");
    await terminal.shows("exists already");
    await terminal.say("/cost");
    await terminal.shows("This session: $0.0");
    await terminal.say("/budget 2.50");
    await terminal.shows("a run up to $2.50");
    await terminal.say("/model anthropic:claude-haiku-4-5");
    await terminal.shows("The model is now anthropic:claude-haiku-4-5.");
    await terminal.say("who are you");
    await terminal.shows("Another one.");
    expect(sandbox.server.requests.map(({ model }) => model)).toEqual(["claude-sonnet-5", "claude-haiku-4-5"]);
    await terminal.shows(ready);
    await terminal.say("/fork");
    await terminal.shows(/Session ses_\w+, 0 runs/);
    await terminal.say("/quit");
    expect(await terminal.ended()).toEqual({ code: 0, isRestored: true });
  });
});

/** Whether a process of this machine has these arguments. */
function isRunning(args: string): boolean {
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return ""; // it has ended, or is no process
    }
  };
  return readdirSync("/proc").some((name) => commandOf(name).startsWith(args));
}
