import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, ready, startChat } from "./terminal.ts";

const never = () => new Promise<never>(() => {});

describe.skipIf(!canTest)("keys in quick succession", () => {
  test("stop a run that has just started", async (context) => {
    const sandbox = await createSandbox(context, [never]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.type("go");
    await terminal.press("Enter", "C-c");
    await terminal.shows("the run was cancelled");
    await terminal.shows(ready);
  });

  test("apply in order: a prompt uses the model and the session that were chosen before it", async (context) => {
    const sandbox = await createSandbox(context, [{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    const terminal = await startChat(sandbox, context);
    await terminal.shows(ready);
    await terminal.press("/model anthropic:claude-haiku-4-5", "Enter", "first prompt", "Enter");
    await terminal.shows("One.");
    await terminal.shows(ready);
    await terminal.press("/fork", "Enter", "second prompt", "Enter", "third prompt", "Enter");
    await terminal.shows("Three.");
    await terminal.shows(ready);
    expect(sandbox.server.requests.map(({ model, text }) => [model, text.includes("second prompt")])).toEqual([
      ["claude-haiku-4-5", false],
      ["claude-haiku-4-5", true],
      ["claude-haiku-4-5", true],
    ]);
    const listed = JSON.parse((await sandbox.run(["runs", "--json"])).out) as {
      readonly runs: readonly { readonly sessionId: string; readonly prompt: string }[];
    };
    const sessions = new Map(listed.runs.map(({ prompt, sessionId }) => [prompt, sessionId]));
    expect(sessions.get("third prompt")).toBe(sessions.get("second prompt"));
    expect(sessions.get("second prompt")).not.toBe(sessions.get("first prompt"));
  });
});
