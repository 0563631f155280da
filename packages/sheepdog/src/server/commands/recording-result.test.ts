import { memoryStores } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { testViewContext } from "../../../test/view-context.ts";
import { resolveHome } from "../../home.ts";
import { resumeRun } from "../../run-commands/resume-run.ts";
import { sendCommand } from "../../run-commands/send-command.ts";
import { forkRun } from "./fork-run.ts";

test("a recording takes no command, also not to resume or to copy it, and each answer says so", async () => {
  const recordings = { list: async () => [{ id: "rec_1" }] as never, load: async () => undefined };
  const base = testViewContext({ stores: memoryStores(), home: resolveHome({ SHEEPDOG_HOME: "/nowhere" }) });
  const context = { ...base, recordings };
  const said = { isDone: false, text: "This is a recording of another agent. It takes no commands.", runId: "rec_1" };
  expect(await sendCommand(context, "rec_1", { type: "stop" })).toEqual(said);
  expect(await resumeRun(context, ["x"], { id: "rec_1", maxCostUsd: undefined })).toEqual(said);
  expect(await forkRun(context, ["x"], { id: "rec_1", prompt: undefined })).toEqual(said);
  expect(await forkRun(context, ["x"], { id: "rec_2", prompt: undefined })).toBeUndefined();
});
