import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { openTestHome } from "../../test/test-home.ts";
import { findRun } from "./find-run.ts";

const file = scratchFolder();
const said = [{ text: "Said." }];

describe("the run that is meant", () => {
  test("is found by its id, by its session's, by a beginning of either, or as the last", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const first = await runPrompt("ses_a1", "One.", said);
    const second = await runPrompt("ses_a1", "Two.", said);
    const third = await runPrompt("ses_b2", "Three.", said);
    const meant = async (text: string) => {
      const found = await findRun(stores, text, Date.now());
      return found.ok ? found.summary.run.runId : found.problem;
    };
    expect(await meant("last")).toBe(third.runId);
    for (const text of ["ses_a1", "ses_a", second.runId, second.runId.slice(0, 12)])
      expect(await meant(text)).toBe(second.runId);
    for (const text of [first.runId, first.runId.slice(0, 12)]) expect(await meant(text)).toBe(first.runId);
    expect(await meant("ses_")).toBe("ses_ could be ses_b2, ses_a1; write more of it");
    expect(await meant("run_")).toMatch(/^run_ could be (?:run_\w+, ){2}run_\w+; write more of it$/);
    expect(await meant("ses_zz")).toBe("there is no run or session ses_zz; `sheepdog runs` lists them");
    await close();
  });

  test("is none where the text can be no id", async () => {
    const { stores, close } = await openTestHome(await file("home"));
    for (const text of ["../x", "*", "\u001b[2J", "x".repeat(4_000), "", " ", "a b", "-r", "%"])
      expect(await findRun(stores, text, 0)).toEqual({
        ok: false,
        problem: expect.stringMatching(/^that is no id of a run or a session/),
      });
    expect(await findRun(stores, "last", 0)).toEqual({ ok: false, problem: "there are no runs yet" });
    await close();
  });

  test("is not a subagent's where the last is asked for", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const script = [
      { calls: [{ tool: "spawn", input: { task: "Count the sheep." } }] },
      { text: "Seven." },
      { text: "There are seven." },
    ];
    const { runId } = await runPrompt("ses_a", "How many sheep?", script, { subagents: true });
    expect(await findRun(stores, "last", Date.now())).toMatchObject({
      ok: true,
      kept: { run: { runId }, children: [{ run: { prompt: "Count the sheep." } }] },
    });
    await close();
  });
});
