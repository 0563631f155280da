import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Approval, builtinTools, defineTool, failed, ok, type RunAnswer } from "@sheepdog/agent";
import { defaultPolicy } from "@sheepdog/guardian";
import { type Overview, overviewSchema, runDetailSchema, runsPageSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { sendCommand } from "../../run-commands/send-command.ts";
import { plainSentence } from "../../sentences/say.ts";
import type { ViewContext } from "../view-context.ts";
import { overviewView } from "./overview-view.ts";
import { runView } from "./run-view.ts";
import { runsView } from "./runs-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const bash = defineTool({
  name: "bash",
  kind: "mutate",
  description: "",
  input: z.looseObject({ command: z.string() }),
  run: async ({ command }) => (command.startsWith("npx") ? failed("Timeout 30000ms: waiting for 'Pay now'") : ok("ok")),
});
const edit = defineTool({
  name: "edit",
  kind: "mutate",
  description: "",
  input: z.looseObject({ path: z.string() }),
  run: async () => ok("Edited."),
});
const call = (tool: string, input: Record<string, unknown>) => ({ calls: [{ tool, input }] });

/** A function that waits until it is answered. */
function question<Answer>() {
  let answer: (given: Answer) => void = () => {};
  let markAsked = () => {};
  const answered = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    markAsked = resolve;
  });
  const ask = () => {
    markAsked();
    return answered;
  };
  return { ask, answer: (given: Answer) => answer(given), isAsked };
}

async function overviewOf(home: TestHome): Promise<Overview> {
  const port = { send: async () => ({ type: "unanswered" }) as const, canReceive: async () => true };
  return overviewSchema.parse(await overviewView(testViewContext({ ...home, port })));
}

test("an empty home has nothing that waits", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  expect(await overviewOf(opened)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    program: "sheepdog",
    position: 0,
    waiting: [],
    liveRuns: 0,
    today: { spentUsd: 0, limitUsd: null, warnUsd: null },
    cwd: opened.home.dir,
    workspaces: [],
    defaults: { model: null, limitUsd: null },
    startProblem: "No model is configured, and the environment has no key for one. Run: sheepdog init",
  });
});

test("the guardian's question waits with the command, its error, its cost and what happens otherwise", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const { ask, answer, isAsked } = question<RunAnswer>();
  const test = call("bash", { command: "npx playwright test checkout" });
  const run = opened
    .runtime([test, test, test, test, test, { text: "Stopped." }], {
      tools: [bash],
      policy: { ...defaultPolicy, limits: { "run-cost": { stop: 50e9 } } },
      attended: true,
      askAboutRun: ask,
      workspace: "/work/web-shop",
    })
    .run("ses_a", "Repair the checkout test.");
  await isAsked;
  const context = testViewContext({ ...opened });
  const { waiting, liveRuns } = await overviewOf(opened);
  expect(liveRuns).toBe(1);
  expect(waiting).toEqual([
    {
      kind: "question",
      id: "e1/block",
      runId: run.runId,
      sessionId: "ses_a",
      project: "web-shop",
      task: "Repair the checkout test",
      turn: 5,
      title: [{ code: "npx playwright test checkout" }, { text: " failed 5 times the same way. Stop it?" }],
      level: "block",
      since: expect.any(Number),
      answerBy: null,
      command: "npx playwright test checkout",
      output: "Timeout 30000ms: waiting for 'Pay now'",
      diff: null,
      facts: [
        { name: "Tried", value: [{ text: expect.stringMatching(/^5 times in \d+ s$/) }] },
        { name: "Cost", value: [{ text: "$4.00 on this loop, $5.00 in all, limit $50.00" }] },
        {
          name: "Notices",
          value: [{ text: expect.stringMatching(/^hint at \d\d:\d\d, warning at \d\d:\d\d, none followed$/) }],
        },
      ],
      otherwise: "It waits until you answer, and spends nothing meanwhile.",
      suggestion: null,
      choices: [],
      canAnswer: true,
      costUsd: 5,
      limitUsd: 50,
    },
  ]);
  const page = runsPageSchema.parse(await runsView(context));
  expect(
    page.live.map(({ sentence, waitsFor, guardian }) => [plainSentence(sentence), waitsFor, guardian?.text]),
  ).toEqual([["Waiting for you: npx playwright test checkout failed 5 times the same way", "question", "asks you"]]);
  const detail = runDetailSchema.parse(await runView(context, run.runId));
  expect([detail.text, detail.accepts, detail.run.waitsFor]).toEqual([null, ["fork"], "question"]);
  answer({ type: "stop" });
  await run.result;
  expect((await overviewOf(opened)).waiting).toEqual([]);
  const ended = runDetailSchema.parse(await runView(context, run.runId));
  expect(plainSentence(ended.run.sentence)).toBe(
    "Stopped by you: npx playwright test checkout failed 5 times the same way",
  );
  expect(ended.interventions.at(-1)).toMatchObject({ answer: { answer: "stop", text: null } });
});

test("an approval waits with the reason, the risk class and the change that it would make", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const workspace = join(opened.home.dir, "infra");
  await mkdir(workspace);
  await writeFile(join(workspace, "main.tf"), "one\ntwo\n");
  const waitingFor = async (tool: typeof bash, input: Record<string, unknown>) => {
    const { ask, answer, isAsked } = question<Approval>();
    const run = (opened as TestHome)
      .runtime([call(tool.name, input), { text: "Done." }], {
        tools: [tool],
        workspace,
        attended: true,
        approve: ask,
        gate: { decide: async () => ({ tier: 4, decision: "ask", reason: "It changes infrastructure." }) },
      })
      .run(`ses_${tool.name}`, "Apply.");
    await isAsked;
    const { waiting } = await overviewOf(opened as TestHome);
    answer({ isAllowed: true });
    await run.result;
    return waiting;
  };
  expect(await waitingFor(bash, { command: "terraform apply -auto-approve" })).toMatchObject([
    {
      kind: "approval",
      project: "infra",
      turn: 1,
      title: [{ text: "Run " }, { code: "terraform apply -auto-approve" }, { text: "?" }],
      command: "terraform apply -auto-approve",
      facts: [
        { name: "Why asked", value: [{ text: expect.stringContaining("It changes infrastructure.") }] },
        { name: "Risk class", value: [{ text: "T4: is destructive or not understood" }] },
      ],
      otherwise: "It waits until you answer, and spends nothing meanwhile.",
      diff: null,
    },
  ]);
  expect(await waitingFor(edit, { path: "main.tf", old: "two", new: "2" })).toMatchObject([
    {
      title: [{ text: "Change " }, { code: "main.tf" }, { text: "?" }],
      command: null,
      diff: {
        path: "main.tf",
        lines: [
          { sign: " ", text: "one", number: 1 },
          { sign: "-", text: "two", number: 2 },
          { sign: "+", text: "2", number: 2 },
        ],
      },
    },
  ]);
});

test("a question of the agent waits with its choices", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const { ask, answer, isAsked } = question<string>();
  const asking = { question: "Which branch? There are two with this name.", choices: ["main", "dev"] };
  const run = opened
    .runtime([call("ask_user", asking), { text: "Done." }], {
      tools: builtinTools({ workspace: opened.home.dir, ask }).filter(({ name }) => name === "ask_user"),
      attended: true,
    })
    .run("ses_a", "Check it out.");
  await isAsked;
  const { waiting } = await overviewOf(opened);
  expect(waiting).toMatchObject([
    {
      kind: "reply",
      title: [{ text: "Which branch?" }],
      facts: [{ name: "Question", value: [{ text: "Which branch? There are two with this name." }] }],
      choices: ["main", "dev"],
      otherwise: "It waits until you answer, and spends nothing meanwhile.",
    },
  ]);
  answer("main");
  await run.result;
});

test("a question of a subagent is answered at the process of the run that started it", async () => {
  const home = await openTestHome(dirname(await file("home/x")));
  opened = home;
  const { ask, answer, isAsked } = question<string>();
  const spawning = call("spawn", { task: "Check it out." });
  const asking = call("ask_user", { question: "Which branch?" });
  const run = home
    .runtime([spawning, asking, { text: "Checked out." }, { text: "Done." }], {
      tools: builtinTools({ workspace: home.home.dir, ask }).filter(({ name }) => name === "ask_user"),
      subagents: true,
      attended: true,
    })
    .run("ses_a", "Go.");
  await isAsked;
  const sent: string[] = [];
  const port: ViewContext["port"] = {
    canReceive: async (runId) => runId === run.runId, // a subagent has no process of its own
    async send(runId, message) {
      sent.push(runId);
      return { type: "applied", message };
    },
  };
  const context = testViewContext({ ...home, port });
  const [card] = (await overviewView(context)).waiting;
  const { runId = "", id: callId = "" } = card ?? {};
  expect([card?.kind, runId === run.runId, card?.canAnswer]).toEqual(["reply", false, true]);
  expect((await runView(context, runId))?.accepts).toContain("answer");
  expect((await runView(context, runId))?.accepts).not.toContain("stop");
  expect(await sendCommand(context, runId, { type: "reply", callId, text: "main" })).toMatchObject({ isDone: true });
  expect(sent).toEqual([run.runId]);
  answer("main");
  await run.result;
});

test("a question about a limit says up to what the run continues, and until when it waits", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const { ask, answer, isAsked } = question<RunAnswer>();
  const run = opened
    .runtime([call("bash", { command: "a" }), call("bash", { command: "b" }), { text: "Done." }], {
      tools: [bash],
      policy: { ...defaultPolicy, limits: { turns: { stop: 2 } } },
      attended: true,
      askAboutRun: ask,
      answerTimeoutMs: 600_000,
    })
    .run("ses_a", "Look.");
  await isAsked;
  const { waiting } = await overviewOf(opened);
  expect(waiting.map(({ title, otherwise }) => [plainSentence(title), otherwise])).toEqual([
    [
      expect.stringMatching(/\. Continue up to 4 turns\?$/),
      expect.stringMatching(/^Without an answer until \d\d:\d\d, the run ends at its limit\.$/),
    ],
  ]);
  answer({ type: "stop" });
  await run.result;
});
