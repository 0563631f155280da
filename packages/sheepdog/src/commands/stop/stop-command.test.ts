import { describe, expect, test } from "vitest";
import { keptHome } from "../../../test/kept-home.ts";
import { scratchFolder } from "../../../test/scratch.ts";
import { obeyOrders } from "../../control/index.ts";

const file = scratchFolder();

describe("stopping a run of another process", () => {
  test("ends it in good order and says how to go on", async () => {
    const { begin, sheepdog, home, close } = await keptHome(await file("home"));
    const { run } = await begin("ses_a", "Wait.");
    obeyOrders(home, run);
    expect(await sheepdog("stop", "ses_a")).toEqual({
      code: 0,
      out: `${run.runId}: stopped (cancelled)\n`,
      err: "To go on: sheepdog run --resume ses_a\n",
    });
    expect(await run.result).toMatchObject({ reason: "cancelled" });
    expect((await sheepdog("stop", "last")).out).toBe(`${run.runId}: nobody works on it (cancelled)\n`);
    await close();
  });

  test("says so where the run does not listen", async () => {
    const { begin, sheepdog, close } = await keptHome(await file("home"));
    const { run, letGo } = await begin("ses_a", "Wait.");
    expect(await sheepdog("stop", "ses_a")).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`${run.runId} does not listen`),
    });
    letGo();
    expect(await run.result).toMatchObject({ reason: "answered" });
    await close();
  });

  test("needs one that there is", async () => {
    const { sheepdog, close } = await keptHome(await file("home"));
    for (const id of ["last", "ses_none", "../x", "*"])
      expect(await sheepdog("stop", id)).toMatchObject({ code: 2, out: "" });
    await close();
  });
});
