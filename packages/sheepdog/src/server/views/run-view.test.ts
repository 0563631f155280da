import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defaultPolicy } from "@sheepdog/guardian";
import { runDetailSchema } from "@sheepdog/web/contract";
import { afterEach, describe, expect, test } from "vitest";
import { directorEvents, saveDirectorRun } from "../../../test/director-run.ts";
import { failedCommand, intervened, nightRun, runDataOf } from "../../../test/run-data.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { plainSentence } from "../../sentences/say.ts";
import { saveJudgement } from "./judgements-view.ts";
import { interventionViews } from "./run-detail/intervention-views.ts";
import { runView } from "./run-view.ts";
import { whatIfView } from "./what-if-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const same = { calls: [{ tool: "stubborn", input: { target: "all" } }] };
const detailOf = async (home: TestHome, id: string) =>
  runDetailSchema.parse(await runView(testViewContext({ ...home }), id));

describe("the head of a run", () => {
  test("has its interventions with exact words, effect, rungs and the user's judgement", async () => {
    opened = await openTestHome(dirname(await file("home/x")));
    const first = await opened.runPrompt("ses_a", "Say it.", [{ text: "Said." }]);
    const script = Array.from({ length: 20 }, () => same);
    const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 40e9 } } };
    const { runId } = await opened.runPrompt("ses_a", "Make all.", script, { policy });
    await saveJudgement(testViewContext({ ...opened }), runId, { interventionId: "e1/warn", isRight: true });
    const detail = await detailOf(opened, runId);
    expect(detail).toMatchObject({
      run: { id: runId, limitUsd: 40, costUsd: 8, loopUsd: 7, turns: 8 },
      policy: { preset: "default", mode: "guide", isAttended: false },
      rungs: { "failing-call": { hint: 3, warn: 4, block: 5, halt: 8 } },
      otherRuns: [{ id: first.runId, prompt: "Say it." }],
      accepts: ["resume", "fork"],
      branch: null,
      goal: null,
      plans: [],
      subagents: [],
    });
    const warning = detail.interventions[1];
    expect(warning).toEqual({
      id: "e1/warn",
      episode: "e1",
      seq: expect.any(Number),
      at: expect.any(Number),
      turn: 4,
      detector: "failing-call",
      isLimit: false,
      level: "warn",
      effect: "tell",
      isApplied: true,
      fact: [
        { text: "The same call to " },
        { code: "stubborn" },
        { text: " failed " },
        { strong: "4 times" },
        { text: " with the same error, and nothing else was done in between." },
      ],
      times: 4,
      count: 4,
      tool: "stubborn",
      message: expect.stringMatching(/^This exact call to "stubborn" has failed 4 times/),
      notice: `<sheepdog-notice id="e1/warn">${warning?.message}</sheepdog-notice>`,
      runUsd: 4,
      loopUsd: 3,
      callIds: ["call_0_0", "call_1_0", "call_2_0", "call_3_0"].map(() => expect.any(String)),
      followed: false,
      nextCallId: expect.any(String),
      isRecovered: false,
      opinion: null,
      question: null,
      answer: null,
      isRight: true,
    });
    const refused = detail.interventions.find(({ id, effect }) => effect === "deny" && id !== "e1/block");
    expect(refused?.notice).toMatch(/^Refused by the guardian, not run\./);
  });

  test("at the number in force, the estimate is where the guardian ended the run", async () => {
    opened = await openTestHome(dirname(await file("home/x")));
    const script = Array.from({ length: 20 }, () => same);
    const { runId } = await opened.runPrompt("ses_a", "Make all.", script);
    const halt = (await detailOf(opened, runId)).interventions.find(({ level }) => level === "halt");
    const whatIf = await whatIfView(testViewContext({ ...opened }), runId);
    const point = whatIf?.points.find(({ count }) => count === whatIf.defaultCount);
    expect(point).toMatchObject({ at: halt?.at, turn: halt?.turn, costUsd: halt?.runUsd, savedUsd: 0 });
  });

  test("has the plans and the subagents of a director", async () => {
    opened = await openTestHome(dirname(await file("home/x")));
    const runId = await saveDirectorRun(opened.stores, {
      sessionId: "ses_director",
      bodies: directorEvents,
      startedAt: Date.now() - 60_000,
      own: [{ purpose: "plan", costNanoUsd: 2e7 }],
      end: { state: "error", reason: "goal_escalated" },
    });
    const detail = await detailOf(opened, runId);
    expect(detail.plans.map(({ cycle, nodes, edges }) => [cycle, nodes.length, edges.length])).toEqual([
      [0, 7, 8],
      [1, 7, 8],
    ]);
    expect(detail.plans[0]?.edges.map(({ when }) => when)).toContain('when verdict = "ok"');
    const node = detail.plans[0]?.nodes.find(({ id }) => id === "test");
    expect(node).toMatchObject({
      state: "failed",
      stage: 3,
      costUsd: 0.4,
      problem: expect.stringContaining("3 of 40"),
    });
    expect(detail.subagents.map(({ id }) => id)).toContain(node?.runId);
  });

  test("has the branch of a live run's folder", async () => {
    opened = await openTestHome(dirname(await file("home/x")));
    const workspace = join(opened.home.dir, "api");
    await mkdir(join(workspace, ".git"), { recursive: true });
    await writeFile(join(workspace, ".git", "HEAD"), "ref: refs/heads/feature/tenants\n");
    const { run, release } = await opened.startRun("ses_a", "Wait.", { workspace });
    expect((await detailOf(opened, run.runId)).branch).toBe("feature/tenants");
    release();
    await run.result;
  });
});

describe("the fact of an intervention", () => {
  const facts = (...bodies: Parameters<typeof runDataOf>[0]) =>
    interventionViews(runDataOf(bodies), () => null).map(({ fact }) => plainSentence(fact));
  const failures = [0, 1, 2].flatMap((index) => failedCommand(index, index, 0));

  test("says what repeated and how often", () => {
    const told = (detector: Parameters<typeof intervened>[2] & object) =>
      facts(...failures, [3, intervened("warn", 3, detector)])[0];
    const alone = ", and nothing else was done in between.";
    expect(told({})).toBe(`The same command failed 3 times with the same error${alone}`);
    expect(told({ detector: "doom-loop" })).toBe(`The same command was run 3 times with the same result${alone}`);
    expect(told({ detector: "side-effect-repeat" })).toBe(
      "The same command was done 3 times, and it had succeeded the first time.",
    );
    expect(told({ detector: "cycle" })).toBe(
      "The same calls were made in turn 3 times, each with the result it had before.",
    );
    expect(told({ detector: "failing-tool" })).toBe(
      "bash failed 3 times with the same error, whatever its arguments were.",
    );
    expect(told({ detector: "failing-run" })).toBe("3 calls failed, and nothing in between brought anything new.");
    expect(told({ detector: "no-progress" })).toBe("3 calls to bash brought nothing new.");
    expect(told({ detector: "denial" })).toBe("3 calls in a row were refused.");
    expect(told({ detector: "chant", message: "The reply repeats itself. Stop." })).toBe("The reply repeats itself.");
    expect(told({ detector: "run-cost", message: "This run has used $32.00 of $40.00 (80 %). Finish." })).toBe(
      "This run has used $32.00 of $40.00 (80 %).",
    );
    expect(told({ denies: { callId: "c9" } })).toBe("The same command came again, and it was refused.");
  });

  test("says that nothing changed in between only if that is known", () => {
    const between = (kind: "read" | "mutate") => {
      const call = { callId: "x", tool: "look" };
      return facts(
        ...failedCommand(0, 0, 0),
        [0, { type: "ToolStart", ...call, input: {}, kind }],
        [0, { type: "ToolEnd", ...call, status: "ok", content: "", ms: 1 }],
        ...failedCommand(1, 1, 0),
        [1, intervened("hint", 2, { evidence: [0, 2], call: 2 })],
      )[0];
    };
    expect(between("read")).toBe(
      "The same command failed twice with the same error, and nothing else changed in between.",
    );
    expect(between("mutate")).toBe("The same command failed twice with the same error.");
  });

  test("does not say that nothing was done if the user wrote in between", () => {
    const [said] = facts(
      ...failedCommand(0, 0, 0),
      [1, { type: "UserMessage", text: "Look at the other file." }],
      ...failedCommand(1, 2, 0),
      [2, intervened("hint", 2, { evidence: [0, 1], call: 1 })],
    );
    expect(said).toBe("The same command failed twice with the same error, although you wrote to it in between.");
  });

  test("the question and its answer belong to their intervention", () => {
    const block = interventionViews(nightRun(), () => null).find(({ level }) => level === "block");
    expect(block).toMatchObject({
      question: { id: "e1/block", text: "This exact call failed 5 times with the same error." },
      answer: { answer: "continue", text: null },
      runUsd: 0.46,
      loopUsd: 0.12,
    });
  });
});
