import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

describe.skipIf(!canTest)("the list of sessions", () => {
  test("is searched while typing, opens with Enter and closes with Escape", async (context) => {
    const sandbox = await createSandbox(context, [
      { text: "Apples it is." },
      { text: "Pears it is." },
      { text: "More about apples." },
    ]);
    const model = "claude-haiku-4-5";
    expect((await sandbox.run(["run", "-m", `anthropic:${model}`, "tell me about apples"])).code).toBe(0);
    expect((await sandbox.run(["run", "tell me about pears"])).code).toBe(0);
    const terminal = await startChat(sandbox, context, { args: ["--resume"] });
    await terminal.shows("2 of 2 sessions");
    await terminal.type("appels");
    await terminal.shows("No session has all of these words.");
    await terminal.press("C-u");
    await terminal.type("apples answered");
    const found = await terminal.shows("1 of 2 sessions");
    expect(found).toMatch(/› .*answered .*tell me about apples/);
    await terminal.press("Enter");
    await terminal.shows("Apples it is.");
    await terminal.say("more");
    await terminal.shows("More about apples.");
    expect(sandbox.server.requests[2]?.text).toContain("Apples it is.");
    expect(sandbox.server.requests.map((request) => request.model === model)).toEqual([true, false, true]);
    await terminal.shows(ready);
    await terminal.say("/sessions");
    await terminal.shows("Find:");
    await terminal.press("Escape");
    await terminal.hides("Find:");
  });

  test("an invalid or unknown id is reported", async (context) => {
    const sandbox = await createSandbox(context, []);
    for (const id of ["../x", "'*'", "ses_nobody", `$(printf '\\033[2J')`, "a".repeat(4_000)]) {
      const terminal = await startChat(sandbox, context, { args: ["--resume", id] });
      expect(await terminal.ended()).toEqual({ code: 2, isRestored: true });
      expect(await terminal.bytes()).not.toContain("\u001b[2J");
      await terminal.shows("sheepdog: --resume");
    }
  });
});

describe.skipIf(!canTest)("a terminal that cannot be drawn on", () => {
  test("has the same chat line by line", async (context) => {
    const danger = { text: "", calls: [{ tool: "bash", input: { command: 'eval "true $X"' } }] };
    const sandbox = await createSandbox(context, [
      { text: "Plain \u001b[2Jwords." },
      danger,
      { text: "", calls: [{ tool: "ask_user", input: { question: "Which?", choices: ["a", "b"] } }] },
      { text: "That was all." },
    ]);
    const terminal = await startChat(sandbox, context, { env: { TERM: "dumb" } });
    await terminal.shows("Type a prompt and press Enter");
    await terminal.say("hello");
    await terminal.shows("Plain words.");
    await terminal.say("now the call");
    await terminal.shows("May the agent run this? bash");
    await terminal.say("n it is too early");
    await terminal.shows("Which?");
    await terminal.say("2");
    await terminal.shows("That was all.");
    expect(sandbox.server.requests.at(-1)?.text).toContain("The user answered: b");
    expect(sandbox.server.requests.at(-1)?.text).toContain("the user said no: it is too early");
    await terminal.say("/hlep");
    await terminal.shows("Did you mean /help?");
    await terminal.press("C-d");
    expect(await terminal.ended()).toEqual({ code: 0, isRestored: true });
    expect(await terminal.bytes()).not.toContain("\u001b");
  });

  test("without a terminal, chat suggests run", async (context) => {
    const sandbox = await createSandbox(context, []);
    expect(await sandbox.run(["chat"])).toMatchObject({
      code: 2,
      out: "",
      err: 'sheepdog: chat needs a terminal; without one, use: sheepdog run "…"\n',
    });
  });

  test("has no colours and no animations with NO_COLOR", async (context) => {
    const sandbox = await createSandbox(context, [{ text: "Black and white." }]);
    const terminal = await startChat(sandbox, context, { env: { NO_COLOR: "1" }, columns: 40, rows: 10 });
    await terminal.shows("context 0 %");
    await terminal.say("hello");
    await terminal.shows("Black and white.");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
    expect(await terminal.bytes()).not.toMatch(/\u001b\[[1-9][0-9;]*m/);
  });
});
