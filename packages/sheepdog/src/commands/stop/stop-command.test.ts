import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome } from "../../../test/test-home.ts";
import { receiveMessages } from "../../control/index.ts";

const file = scratchFolder();

describe("stopping a run of another process", () => {
  test("ends it cleanly and prints how to resume it", async () => {
    const { startRun, sheepdog, home, close } = await openTestHome(await file("home"));
    const { run } = await startRun("ses_a", "Wait.");
    receiveMessages(home, run);
    expect(await sheepdog("stop", "ses_a")).toEqual({
      code: 0,
      out: `${run.runId}: stopped (cancelled)\n`,
      err: "To resume: sheepdog run --resume ses_a\n",
    });
    expect(await run.result).toMatchObject({ reason: "cancelled" });
    expect((await sheepdog("stop", "ses_a")).out).toBe(`${run.runId}: not running (cancelled)\n`);
    await close();
  });

  test("last is the newest run that is running, and an error if none is", async () => {
    const { startRun, runPrompt, sheepdog, home, close } = await openTestHome(await file("home"));
    const { run } = await startRun("ses_a", "Wait.");
    receiveMessages(home, run);
    await runPrompt("ses_b", "Say hello.", [{ text: "Hello." }]);
    expect((await sheepdog("stop", "last")).out).toBe(`${run.runId}: stopped (cancelled)\n`);
    expect(await sheepdog("stop", "last")).toEqual({ code: 2, out: "", err: "sheepdog: no run is running\n" });
    await close();
  });

  test("reports a run that does not answer", async () => {
    const { startRun, sheepdog, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Wait.");
    expect(await sheepdog("stop", "ses_a")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`${run.runId} did not answer`),
    });
    release();
    expect(await run.result).toMatchObject({ reason: "answered" });
    await close();
  });

  test("needs an existing run", async () => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    for (const id of ["last", "ses_none", "../x", "*"])
      expect(await sheepdog("stop", id)).toMatchObject({ code: 2, out: "" });
    await close();
  });
});
