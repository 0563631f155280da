import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const failing = { text: "", calls: [{ tool: "bash", input: { command: "echo boom >&2; exit 1" } }] };
const loop = Array.from({ length: 5 }, () => failing);

describe.skipIf(!canTest)("before the guardian refuses a repeated call, the chat asks the user", () => {
  test("continue lets the calls run; the next question is about the turns", async (context) => {
    const sandbox = await createSandbox(context, [...loop, failing, { text: "Over." }]);
    const terminal = await startChat(sandbox, context, { args: ["--set", "agent.max_turns=6"] });
    await terminal.shows(ready);
    await terminal.say("go");
    const card = await terminal.shows("How should the run continue?");
    expect(card).toMatch(/This exact call to "bash" has failed 5\s/);
    expect(card).toContain("waiting for you");
    await terminal.shows("s stop · c continue · t tell the agent something");
    await terminal.type("c");
    await terminal.shows("c continue up to 12 turns");
    await terminal.type("c");
    await terminal.shows("Over.");
    expect(await terminal.all()).not.toContain("refused");
  });

  test("a message goes to the model, and stop ends the run", async (context) => {
    const sandbox = await createSandbox(context, [...loop, ...loop, { text: "Over." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("go");
    await terminal.shows("t tell the agent something");
    await terminal.type("t");
    await terminal.shows("Tell the agent:");
    await terminal.say("It is in src.");
    await terminal.hides("Tell the agent:");
    await terminal.shows("s stop · c continue"); // the loop continues, so there is a second question
    expect(sandbox.server.requests.at(5)?.text).toContain("It is in src.");
    await terminal.type("s");
    await terminal.shows("you stopped it");
    await terminal.shows(ready);
  });

  test("in a terminal that cannot be drawn on, a line is the answer", async (context) => {
    const sandbox = await createSandbox(context, [...loop, failing, { text: "Over." }]);
    const terminal = await startChat(sandbox, context, { env: { TERM: "dumb" } });
    await terminal.shows("Type a prompt");
    await terminal.say("go");
    await terminal.shows("Answer s (stop), c (continue), or t and a message for the agent.");
    await terminal.say("t It is in src.");
    await terminal.shows("Over.");
    expect(sandbox.server.requests.at(5)?.text).toContain("It is in src.");
  });
});
