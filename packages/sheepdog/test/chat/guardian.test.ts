import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const same = { text: "", calls: [{ tool: "bash", input: { command: "cat missing.txt" } }] };

describe.skipIf(!canTest)("the guardian", () => {
  test("shows its interventions, shows the evidence on a key, and can be muted", async (context) => {
    let go = () => {};
    const going = new Promise<void>((resolve) => {
      go = resolve;
    });
    const sandbox = await createSandbox(context, [
      same,
      same,
      same,
      async () => going.then(() => same),
      same,
      same,
      { text: "I give up." },
    ]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.press("C-g");
    await terminal.shows("The guardian has not intervened yet.");
    await terminal.say("read it");
    const intervention = await terminal.shows("sheepdog: hint (failing-call, 3 times)");
    expect(intervention).toContain("Ctrl-G shows why");
    await terminal.shows("hinted failing-call 3×");
    await terminal.press("C-g");
    const evidence = await terminal.shows("t mute failing-call for bash");
    expect(evidence.match(/\d\. bash cat missing\.txt/g)).toEqual([
      "1. bash cat missing.txt",
      "2. bash cat missing.txt",
      "3. bash cat missing.txt",
    ]);
    expect(evidence).toContain("No such file or directory");
    await terminal.type("t");
    await terminal.shows("Muted failing-call for bash in this run.");
    go();
    await terminal.shows("I give up.");
    expect(await terminal.all()).not.toContain("sheepdog: warn");
  });

  test("applies a budget that is set during the run", async (context) => {
    let go = () => {};
    const going = new Promise<void>((resolve) => {
      go = resolve;
    });
    const usage = { input: 20_000, output: 2_000 };
    const call = { text: "", usage, calls: [{ tool: "glob", input: { pattern: "*" } }] };
    const sandbox = await createSandbox(context, [async () => going.then(() => call), { text: "Never said." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.say("spend");
    await terminal.shows("running");
    await terminal.say("/budget 0.01");
    await terminal.shows("The cost limit of a run was changed to $0.010.");
    go();
    await terminal.shows("run_budget");
    expect(sandbox.server.requests).toHaveLength(1);
  });
});
