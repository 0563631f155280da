import { describe, expect, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canTest, startChat, ready } from "./terminal.ts";

const never = () => new Promise<never>(() => {});

describe.skipIf(!canTest)("keys that come in one breath", () => {
  test("stop a run that has hardly begun", async (context) => {
    const here = await createSandbox(context, [never]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.type("go");
    await terminal.press("Enter", "C-c");
    await terminal.shows("it was cancelled");
    await terminal.shows(ready);
  });

  test("are done one after the other: a prompt is for the model and the session that were asked for before it", async (context) => {
    const here = await createSandbox(context, [{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    const terminal = await startChat(here, context);
    await terminal.shows(ready);
    await terminal.press("/model anthropic:claude-haiku-4-5", "Enter", "first prompt", "Enter");
    await terminal.shows("One.");
    await terminal.shows(ready);
    await terminal.press("/fork", "Enter", "second prompt", "Enter", "third prompt", "Enter");
    await terminal.shows("Three.");
    await terminal.shows(ready);
    expect(here.server.requests.map(({ model, text }) => [model, text.includes("second prompt")])).toEqual([
      ["claude-haiku-4-5", false],
      ["claude-haiku-4-5", true],
      ["claude-haiku-4-5", true],
    ]);
    const kept = JSON.parse((await here.run(["runs", "--json"])).out) as {
      readonly runs: readonly { readonly sessionId: string; readonly prompt: string }[];
    };
    const sessions = new Map(kept.runs.map(({ prompt, sessionId }) => [prompt, sessionId]));
    expect(sessions.get("third prompt")).toBe(sessions.get("second prompt"));
    expect(sessions.get("second prompt")).not.toBe(sessions.get("first prompt"));
  });
});
