import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { openTestHome } from "../../test/test-home.ts";
import { findRun } from "./find-run.ts";

const file = scratchFolder();
const said = [{ text: "Said." }];

describe("findRun", () => {
  test("finds a run by its id, by its session, by the start of either id, or as the last", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const first = await runPrompt("ses_a1", "One.", said);
    const second = await runPrompt("ses_a1", "Two.", said);
    const third = await runPrompt("ses_b2", "Three.", said);
    const find = async (text: string) => {
      const found = await findRun(stores, text, Date.now());
      return found.ok ? found.summary.run.runId : found.problem;
    };
    expect(await find("last")).toBe(third.runId);
    for (const text of ["ses_a1", "ses_a", second.runId, second.runId.slice(0, 12)])
      expect(await find(text)).toBe(second.runId);
    for (const text of [first.runId, first.runId.slice(0, 12)]) expect(await find(text)).toBe(first.runId);
    expect(await find("ses_")).toBe("ses_ matches ses_b2, ses_a1; type more of the id");
    expect(await find("run_")).toMatch(/^run_ matches (?:run_\w+, ){2}run_\w+; type more of the id$/);
    expect(await find("ses_zz")).toBe("there is no run or session ses_zz; see all with: sheepdog runs");
    await close();
  });

  test("finds an earlier run and refuses an unknown id without reading any other session", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const first = await runPrompt("ses_a1", "One.", said);
    await runPrompt("ses_a1", "Two.", said);
    await runPrompt("ses_b2", "Three.", said);
    const loaded: string[] = [];
    const load = (sessionId: string) => {
      loaded.push(sessionId);
      return stores.sessions.load(sessionId);
    };
    const watched = { ...stores, sessions: { ...stores.sessions, load } };
    expect(await findRun(watched, "run_unknown", Date.now())).toMatchObject({ ok: false });
    expect(loaded).toEqual([]);
    expect(await findRun(watched, first.runId, Date.now())).toMatchObject({ summary: { run: { runId: first.runId } } });
    expect(loaded).toEqual(["ses_a1"]);
    await close();
  });

  test("finds no run for a text that is not an id", async () => {
    const { stores, close } = await openTestHome(await file("home"));
    for (const text of ["../x", "*", "\u001b[2J", "x".repeat(4_000), "", " ", "a b", "-r", "%"])
      expect(await findRun(stores, text, 0)).toEqual({
        ok: false,
        problem: expect.stringMatching(/^this is not the id of a run or session/),
      });
    expect(await findRun(stores, "last", 0)).toEqual({ ok: false, problem: "there are no runs yet" });
    await close();
  });

  test("never finds the run of a subagent as the last", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const script = [
      { calls: [{ tool: "spawn", input: { task: "Count the sheep." } }] },
      { text: "Seven." },
      { text: "There are seven." },
    ];
    const { runId } = await runPrompt("ses_a", "How many sheep?", script, { subagents: true });
    expect(await findRun(stores, "last", Date.now())).toMatchObject({
      ok: true,
      summary: { run: { runId }, subagents: [{ run: { prompt: "Count the sheep." } }] },
    });
    await close();
  });
});
